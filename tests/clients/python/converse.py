"""Asks for one thing, fills in whatever form the server asks for by the names of the fields, and agrees to visit whatever
page: the rest is the library's own doing.

    python converse.py SERVER ASK ANSWERS

All three are JSON. SERVER is {"url": ...} or {"command": ..., "args": [...]}; ASK is {"tool": ..., "arguments": ...},
{"prompt": ...} or {"resource": ...}. Prints one line of JSON: the messages of the questions and the addresses of the pages
in order, the values of a tool's progress, and the result.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters, types


async def outcome(client: Client, ask: dict, progress: list[float]):
    async def report(done: float, _total: float | None, _message: str | None) -> None:
        progress.append(done)

    if "tool" in ask:
        return await client.call_tool(ask["tool"], ask["arguments"], progress_callback=report)
    if "prompt" in ask:
        return await client.get_prompt(ask["prompt"])
    return await client.read_resource(ask["resource"])


async def converse(server: dict, ask: dict, answers: dict) -> dict:
    questions, pages, progress = [], [], []

    async def answer(_context, params) -> types.ElicitResult:
        questions.append(params.message)
        if isinstance(params, types.ElicitRequestURLParams):
            pages.append(params.url)
            return types.ElicitResult(action="accept")
        content = {field: answers[field] for field in params.requested_schema["properties"]}
        return types.ElicitResult(action="accept", content=content)

    target = server["url"] if "url" in server else StdioServerParameters(**server)
    async with Client(target, mode="2026-07-28", elicitation_callback=answer) as client:
        result = await outcome(client, ask, progress)
    result = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {"questions": questions, "pages": pages, "progress": progress, "result": result}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(converse(*map(json.loads, sys.argv[1:])))))
