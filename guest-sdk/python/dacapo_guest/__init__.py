"""Handlers for Dacapo in plain Python.

    from dacapo_guest import Context, ToolError, tool, tools

    @tool(title="Greet")
    def greet(ctx: Context, name: str) -> str:
        '''Greets somebody.'''
        return f"Hello, {name}!"

    Tools = tools(greet)

A tool is a function: its signature becomes the tool's schema, its docstring the description. `Context` is how it asks the
user, reports progress and keeps values; what it may ask is written as a dataclass (see `form`). What it raises as
`ToolError` is for the model to read.

A question ends the run: no `finally`, no `with` and no `except` sees it. When the answer has come, the function runs again
from the top, and the same call returns. Until then, time and randomness repeat themselves.

Layout:

- `context`: what a tool has of the call that it serves
- `errors`: what a tool raises
- `field`: what is said of a field or an argument besides its type
- `form`: dataclasses as forms
- `reply`: what the user did with a question
- `schema`: Python types as JSON Schema, and JSON as Python values
- `tool`: functions as tools
- `tests`: run by `python -m unittest`

Prompts, resources and completions have no wrapper here: implement `wit_world.exports` for them.
"""

from .context import Context, Question
from .errors import ToolError
from .field import Field
from .reply import Accept, Cancel, Decline, Reply
from .tool import tool, tools

__all__ = ["Accept", "Cancel", "Context", "Decline", "Field", "Question", "Reply", "ToolError", "tool", "tools"]
