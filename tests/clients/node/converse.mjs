// Calls one tool and answers whatever the server asks by the names of the fields: the rest is the library's own doing.
//
//   node converse.mjs URL TOOL ARGUMENTS ANSWERS
//
// Prints one line of JSON: the result, and the messages of the questions in order.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, tool, argumentsJson, answersJson] = process.argv.slice(2);
const answers = JSON.parse(answersJson);
const questions = [];

const client = new Client(
  { name: 'dacapo-tests-node', version: '0.1.0' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
client.setRequestHandler('elicitation/create', ({ params }) => {
  questions.push(params.message);
  const fields = Object.keys(params.requestedSchema.properties);
  return { action: 'accept', content: Object.fromEntries(fields.map((field) => [field, answers[field]])) };
});

await client.connect(new StreamableHTTPClientTransport(new URL(url)));
try {
  const result = await client.callTool({ name: tool, arguments: JSON.parse(argumentsJson) });
  console.log(JSON.stringify({ questions, isError: result.isError ?? false, structured: result.structuredContent }));
} finally {
  await client.close();
}
