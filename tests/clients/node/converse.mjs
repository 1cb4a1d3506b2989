// Asks for one thing, fills in whatever form the server asks for by the names of the fields, and agrees to visit whatever
// page: the rest is the library's own doing.
//
//   node converse.mjs SERVER ASK ANSWERS
//
// All three are JSON. SERVER is {"url": ...} or {"command": ..., "args": [...]}; ASK is {"tool": ..., "arguments": ...},
// {"prompt": ...} or {"resource": ...}. Prints one line of JSON: the messages of the questions and the addresses of the pages
// in order, the values of a tool's progress, and the result.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [server, ask, answers] = process.argv.slice(2).map((argument) => JSON.parse(argument));
const [questions, pages, progress] = [[], [], []];

const client = new Client(
  { name: 'dacapo-tests-node', version: '0.1.0' },
  { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
client.setRequestHandler('elicitation/create', ({ params }) => {
  questions.push(params.message);
  if (params.mode === 'url') {
    pages.push(params.url);
    return { action: 'accept' };
  }
  const fields = Object.keys(params.requestedSchema.properties);
  return { action: 'accept', content: Object.fromEntries(fields.map((field) => [field, answers[field]])) };
});

function outcome() {
  const onprogress = (report) => progress.push(report.progress);
  if (ask.tool) return client.callTool({ name: ask.tool, arguments: ask.arguments }, { onprogress });
  if (ask.prompt) return client.getPrompt({ name: ask.prompt });
  return client.readResource({ uri: ask.resource });
}

await client.connect(
  server.url ? new StreamableHTTPClientTransport(new URL(server.url)) : new StdioClientTransport(server),
);
try {
  const result = await outcome();
  console.log(JSON.stringify({ questions, pages, progress, result }));
} finally {
  await client.close();
}
