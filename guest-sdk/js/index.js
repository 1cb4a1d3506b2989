/**
 * Handlers for Dacapo in plain JavaScript.
 *
 *     import { defineTools } from './dacapo-guest/index.js';
 *
 *     export const tools = defineTools({
 *       greet: {
 *         description: 'Greets somebody.',
 *         input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
 *         run: (ctx, { name }) => `Hello, ${name}!`,
 *       },
 *     });
 *
 * A tool is a plain object (see `tool.js`). `ctx` is how it asks the user, reports progress and keeps values (see `context.js`);
 * what it may ask is a plain object, too (see `form.js`). What it throws as `ToolError` is for the model to read.
 *
 * Nothing is awaited: a question ends the run, and no `finally` or `catch` sees it. When the answer has come, the function
 * runs again from the top, and the same call returns. Until then, time and randomness repeat themselves.
 *
 * Layout:
 *
 * - `context.js`: what a tool has of the call that it serves
 * - `form.js`: plain objects as forms
 * - `tool.js`: plain objects as tools
 * - `*.test.js`: run by `node --test`
 *
 * Prompts, resources and completions have no wrapper here: export them as the contract has them.
 */

import { Context } from './context.js';
import { handlerOf } from './tool.js';

export { ToolError } from './tool.js';

/**
 * The handler of these tools, by their names. Export it under the name `tools` from the module that is built.
 *
 * @param {Record<string, import('./tool.js').Tool>} tools
 */
export const defineTools = (tools) => handlerOf(tools, new Context());
