"""LangChain and LangGraph. ``toolscore.watch`` finds this hook; the handler is for your configs."""

try:
    from toolscore_integrations.langchain._attach import attach
    from toolscore_integrations.langchain._handler import ToolscoreCallbackHandler
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error}; run: pip install 'toolscore-integrations[langchain]'", name=error.name
    ) from error

__all__ = ["ToolscoreCallbackHandler", "attach"]
