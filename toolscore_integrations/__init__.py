"""The hooks of toolscore, one module per framework."""
