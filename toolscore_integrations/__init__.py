"""The hooks of toolscore: ``langchain``, ``openai_agents``, ``llama_index``.

``toolscore.watch`` finds them by itself; import one to attach its handler by hand.
"""

from toolscore._collision import refuse_tool_scorer

refuse_tool_scorer()
