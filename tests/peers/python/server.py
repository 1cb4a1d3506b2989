"""The greeter as the Python SDK has it: an ASGI application, which uvicorn serves with a worker for each core."""

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

mcp = MCPServer("peer-python", version="1.0.0", log_level="WARNING")


@mcp.tool(
    title="Say hello",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    structured_output=False,
)
def hello(name: str) -> str:
    """Greets a person by name."""
    return f"Hello, {name}!"


app = mcp.streamable_http_app(json_response=True, stateless_http=True)
