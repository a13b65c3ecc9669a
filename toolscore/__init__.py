"""Did your agent call the right tools? Capture and a deterministic score after each run."""
