// What plain objects become as tools, and how they end.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ToolError, handlerOf } from './tool.js';

const context = {};
const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const tools = handlerOf(
  {
    greet: { title: 'Greet', description: 'Greets.', input, run: (ctx, { name }) => (ctx === context ? `Hello, ${name}!` : '') },
    add: { description: 'Adds.', output: { type: 'object' }, run: (_, { a, b }) => ({ sum: a + b }) },
    refuse: { description: 'Refuses.', run: () => { throw new ToolError('no'); } },
    fall: { description: 'Falls over.', run: () => { throw new Error('a secret'); } },
  },
  context,
);

test('a tool is listed with its schemas as they were written', () => {
  const [greet, add] = tools.listTools();
  assert.deepEqual([greet.name, greet.title, greet.description], ['greet', 'Greet', 'Greets.']);
  assert.deepEqual(JSON.parse(greet.inputSchema), input);
  assert.equal(greet.outputSchema, undefined);
  assert.deepEqual([add.inputSchema, add.outputSchema], ['{"type":"object"}', '{"type":"object"}']);
});

test('a text is a text, and an object is structured content besides', () => {
  assert.equal(tools.callTool('greet', '{"name": "Ada"}').content[0].val.text, 'Hello, Ada!');
  assert.equal(tools.callTool('add', '{"a": 1, "b": 2}').structuredContent, '{"sum":3}');
});

test('a ToolError is a result that the model reads', () => {
  const { content, isError } = tools.callTool('refuse', '{}');
  assert.deepEqual([content[0].val.text, isError], ['no', true]);
});

test('anything else is logged, and does not reach the client', (t) => {
  const log = t.mock.method(console, 'error', () => {});
  assert.throws(() => tools.callTool('fall', '{}'), ({ payload }) => payload.code === -32603 && !/secret/.test(payload.message));
  assert.match(log.mock.calls[0].arguments[0], /a secret/);
});

test('a tool that is not there is an error of the protocol', () => {
  assert.throws(() => tools.callTool('toString', '{}'), ({ payload }) => payload.code === -32602);
});
