"""A server of the Python library's, for clients to be tried against.

    python serve.py

Prints its address once it listens. Its tool `book` asks two things at once, reports progress, and returns data; `page` is
refused where the answer is no.
"""

import socket
from typing import Annotated

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

server = MCPServer("library")


class Guest(BaseModel):
    name: str = Field(description="Who comes", min_length=2)
    age: int = Field(description="How old", ge=0, le=150)


class Wishes(BaseModel):
    window: bool = Field(default=True, description="A seat at the window")


async def guest() -> Elicit[Guest]:
    return Elicit("Who is the table for?", Guest)


async def wishes() -> Elicit[Wishes]:
    return Elicit("Any wishes?", Wishes)


@server.tool()
async def book(
    seats: int,
    ctx: Context,
    guest: Annotated[Guest, Resolve(guest)],
    wishes: Annotated[Wishes, Resolve(wishes)],
) -> dict[str, str | int | bool]:
    """Books a table."""
    await ctx.report_progress(1, 2, "looking for a table")
    return {"name": guest.name, "age": guest.age, "window": wishes.window, "seats": seats}


if __name__ == "__main__":
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="warning")
    uvicorn.Server(config).run(sockets=[listener])
