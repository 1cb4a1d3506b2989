"""Asks for one thing and answers whatever the server asks by the names of the fields: the rest is the library's own doing.

    python converse.py SERVER ASK ANSWERS

All three are JSON. SERVER is {"url": ...} or {"command": ..., "args": [...]}; ASK is {"tool": ..., "arguments": ...},
{"prompt": ...} or {"resource": ...}. Prints one line of JSON: the messages of the questions in order, and the result.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters, types


async def outcome(client: Client, ask: dict):
    if "tool" in ask:
        return await client.call_tool(ask["tool"], ask["arguments"])
    if "prompt" in ask:
        return await client.get_prompt(ask["prompt"])
    return await client.read_resource(ask["resource"])


async def converse(server: dict, ask: dict, answers: dict) -> dict:
    questions = []

    async def answer(_context, params) -> types.ElicitResult:
        questions.append(params.message)
        content = {field: answers[field] for field in params.requested_schema["properties"]}
        return types.ElicitResult(action="accept", content=content)

    target = server["url"] if "url" in server else StdioServerParameters(**server)
    async with Client(target, mode="2026-07-28", elicitation_callback=answer) as client:
        result = await outcome(client, ask)
    return {"questions": questions, "result": result.model_dump(mode="json", by_alias=True, exclude_none=True)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(converse(*map(json.loads, sys.argv[1:])))))
