"""The arguments of a tool that code calls: by name, without what the host added."""

from __future__ import annotations

import inspect
from inspect import BoundArguments, Parameter
from typing import Any, cast

from llama_index.core.tools import BaseTool, FunctionTool


def arguments_of(tool: BaseTool, bound: BoundArguments) -> dict[str, Any]:
    """What ``tool`` was called with, positional arguments under their names.

    The workflow's ``Context`` and the tool's ``partial_params``, which often hold secrets, are the
    host's and not the caller's: they are left out.
    """
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is Parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif kind is Parameter.VAR_KEYWORD:
            named.update(value)
        else:
            named[name] = value
    if not isinstance(tool, FunctionTool):
        return {**_unnamed(positional), **named}
    return _by_name(tool, positional, named)


def _by_name(tool: FunctionTool, positional: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    if positional:
        try:
            function = cast("Any", tool.real_fn)
            signature = inspect.signature(function)
            given = dict(signature.bind_partial(*positional, **named).arguments)
            for name, parameter in signature.parameters.items():
                if parameter.kind is Parameter.VAR_KEYWORD:
                    given.update(given.pop(name, {}))
                elif parameter.kind is Parameter.VAR_POSITIONAL:
                    given = {**_unnamed(list(given.pop(name, ()))), **given}
            named = given
        except (TypeError, ValueError):  # wrong arguments: the call fails, as it was made
            named = {**_unnamed(positional), **named}
    partial = tool.partial_params
    return {
        name: value
        for name, value in named.items()
        if name != tool.ctx_param_name and (name not in partial or value is not partial[name])
    }


def _unnamed(positional: list[Any]) -> dict[str, Any]:
    if not positional:
        return {}
    return {"input": positional[0]} if len(positional) == 1 else {"args": positional}
