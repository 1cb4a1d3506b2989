"""Calls one tool and answers whatever the server asks by the names of the fields: the rest is the library's own doing.

    python converse.py URL TOOL ARGUMENTS ANSWERS

Prints one line of JSON: the result, and the messages of the questions in order.
"""

import asyncio
import json
import sys

from mcp import Client, types


async def converse(url: str, tool: str, arguments: dict, answers: dict) -> dict:
    questions = []

    async def answer(_context, params) -> types.ElicitResult:
        questions.append(params.message)
        content = {field: answers[field] for field in params.requested_schema["properties"]}
        return types.ElicitResult(action="accept", content=content)

    async with Client(url, mode="2026-07-28", elicitation_callback=answer) as client:
        result = await client.call_tool(tool, arguments)
    return {"questions": questions, "isError": bool(result.is_error), "structured": result.structured_content}


if __name__ == "__main__":
    url, tool, arguments, answers = sys.argv[1:]
    print(json.dumps(asyncio.run(converse(url, tool, json.loads(arguments), json.loads(answers)))))
