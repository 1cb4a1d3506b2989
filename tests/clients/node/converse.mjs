// Asks for one thing and answers whatever the server asks by the names of the fields: the rest is the library's own doing.
//
//   node converse.mjs SERVER ASK ANSWERS
//
// All three are JSON. SERVER is {"url": ...} or {"command": ..., "args": [...]}; ASK is {"tool": ..., "arguments": ...},
// {"prompt": ...} or {"resource": ...}. Prints one line of JSON: the messages of the questions in order, and the result.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [server, ask, answers] = process.argv.slice(2).map((argument) => JSON.parse(argument));
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

function outcome() {
  if (ask.tool) return client.callTool({ name: ask.tool, arguments: ask.arguments });
  if (ask.prompt) return client.getPrompt({ name: ask.prompt });
  return client.readResource({ uri: ask.resource });
}

await client.connect(
  server.url ? new StreamableHTTPClientTransport(new URL(server.url)) : new StdioClientTransport(server),
);
try {
  const result = await outcome();
  console.log(JSON.stringify({ questions, result }));
} finally {
  await client.close();
}
