"""Functions as tools."""

import dataclasses
import inspect
import json
from collections.abc import Callable
from typing import Any, get_type_hints

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports import tools as wit
from wit_world.imports import content

from .context import Context
from .errors import ToolError
from .field import Hint
from .schema import Member, decode_members, encode, object_schema, parameters, schema

#: JSON-RPC's code for a request that the server can't serve as it is.
_INVALID_PARAMS = -32602


@dataclasses.dataclass(frozen=True)
class Tool:
    """A function, with what the client sees of it."""

    function: Callable
    #: What it takes besides the context.
    parameters: list[Member]
    descriptor: wit.Tool

    def call(self, arguments: str) -> wit.ToolResult:
        """Calls the function with a JSON object."""
        given = decode_members(self.parameters, json.loads(arguments))
        try:
            return _result(self.function(Context(), **given))
        except ToolError as error:
            return wit.ToolResult([_text(str(error))], None, True, None)


def tool(
    name: str | None = None,
    *,
    title: str | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
    open_world: bool | None = None,
) -> Callable[[Callable], Tool]:
    """Makes a tool of a function. Its first parameter is the `Context`; the others, all with type hints, are the tool's
    arguments. Its docstring is the description.

    What it returns is the result: a text; a dataclass or a `dict`, as structured content; nothing; or the contract's own
    `ToolResult`, for all else. Where the return type is a dataclass, the tool has an output schema.
    """
    hints = wit.ToolAnnotations(None, read_only, destructive, idempotent, open_world)
    is_silent = all(hint is None for hint in (read_only, destructive, idempotent, open_world))

    def decorate(function: Callable) -> Tool:
        returned = Hint.of(get_type_hints(function, include_extras=True).get("return", Any)).type
        taken = parameters(function)
        descriptor = wit.Tool(
            name=name or function.__name__,
            title=title,
            description=inspect.getdoc(function),
            input_schema=json.dumps(object_schema(taken)),
            output_schema=json.dumps(schema(returned)) if _is_structured(returned) else None,
            annotations=None if is_silent else hints,
            icons=[],
            meta=None,
        )
        return Tool(function, taken, descriptor)

    return decorate


def tools(*offered: Tool) -> type[exports.Tools]:
    """The handler of these tools. Assign it to the name `Tools` in the module that is built."""
    by_name = {offer.descriptor.name: offer for offer in offered}
    if len(by_name) < len(offered):
        raise ValueError("two tools have the same name; expected each name once")

    class Tools(exports.Tools):
        """What the host calls."""

        def list_tools(self) -> list[wit.Tool]:
            return [offer.descriptor for offer in offered]

        def call_tool(self, name: str, arguments: str) -> wit.ToolResult:
            if name not in by_name:
                raise Err(content.ProtocolError(_INVALID_PARAMS, f"there is no tool {name!r}", None))
            return by_name[name].call(arguments)

    return Tools


def _is_structured(returned: Any) -> bool:
    return dataclasses.is_dataclass(returned) and returned is not wit.ToolResult


def _result(returned: Any) -> wit.ToolResult:
    if isinstance(returned, wit.ToolResult):
        return returned
    if returned is None:
        return wit.ToolResult([], None, False, None)
    if isinstance(returned, str):
        return wit.ToolResult([_text(returned)], None, False, None)
    data = json.dumps(encode(returned), ensure_ascii=False)
    return wit.ToolResult([_text(data)], data, False, None)


def _text(text: str) -> content.ContentBlock:
    return content.ContentBlock_Text(content.TextContent(text, None, None))
