/**
 * Plain objects as tools.
 *
 * @typedef {object} Tool
 * @property {string} description What it does and when to use it.
 * @property {string} [title] Its name, for people.
 * @property {object} [input] JSON Schema of its arguments; by default it takes none.
 * @property {object} [output] JSON Schema of what it returns.
 * @property {{ readOnly?: boolean, destructive?: boolean, idempotent?: boolean, openWorld?: boolean }} [annotations]
 *   Hints on what it does.
 * @property {(ctx: import('./context.js').Context, args: object) => unknown} run Called with the context and the arguments. What
 *   it returns is the result: a text; an object, as structured content; or nothing.
 */

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/**
 * The tool failed at its work. The message goes to the model, as a result with `isError`.
 *
 * Anything else that is thrown is a fault of the handler: it goes to the server's log, and the client learns only that there was
 * one.
 */
export class ToolError extends Error {
  name = 'ToolError';
}

/** The contract's interface `tools`, made of plain objects. `context` is given to each. */
export function handlerOf(tools, context) {
  return {
    listTools: () => Object.entries(tools).map(([name, tool]) => descriptor(name, tool)),

    callTool(name, args) {
      if (!Object.hasOwn(tools, name)) throw protocolError(INVALID_PARAMS, `there is no tool "${name}"`);
      try {
        return resultOf(tools[name].run(context, JSON.parse(args)));
      } catch (error) {
        if (error instanceof ToolError) return { content: [text(error.message)], isError: true };
        console.error(`${error}\n${error?.stack ?? ''}`);
        throw protocolError(INTERNAL_ERROR, "the handler failed; the server's log says more");
      }
    },
  };
}

function descriptor(name, { title, description, input = { type: 'object' }, output, annotations }) {
  return {
    name,
    title,
    description,
    inputSchema: JSON.stringify(input),
    outputSchema: output && JSON.stringify(output),
    annotations,
    icons: [],
  };
}

function resultOf(returned) {
  if (returned === undefined || returned === null) return { content: [], isError: false };
  if (typeof returned === 'string') return { content: [text(returned)], isError: false };
  const data = JSON.stringify(returned);
  return { content: [text(data)], structuredContent: data, isError: false };
}

function text(said) {
  return { tag: 'text', val: { text: said } };
}

/** An error that the generated bindings know how to pass on. */
function protocolError(code, message) {
  return Object.assign(new Error(message), { payload: { code, message } });
}
