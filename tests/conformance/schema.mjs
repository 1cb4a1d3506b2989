// Prints the protocol's JSON Schema, which the conformance suite carries inside its program.
//
//   node schema.mjs
//
// The suite is one JavaScript file. In it stands the schema of each revision that it knows, each as one literal.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { parseExpressionAt } from 'acorn';

// The beginning of a schema, and a definition that only the revision 2026-07-28 has.
const BEGINNING = /\{\$schema:[`"']https:\/\/json-schema\.org\/draft\/2020-12\/schema[`"'],\$defs:/g;
const REVISION = 'DiscoverRequest';

const program = readFileSync(
  fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url)),
  'utf8',
);
const schemas = [...program.matchAll(BEGINNING)]
  .map(({ index }) => runInNewContext(`(${literalAt(index)})`))
  .filter((schema) => REVISION in schema.$defs);
if (schemas.length !== 1) {
  throw new Error(`the suite has ${schemas.length} schemas that define ${REVISION}; one was expected`);
}
console.log(JSON.stringify(schemas[0], null, 1));

function literalAt(index) {
  const expression = parseExpressionAt(program, index, { ecmaVersion: 'latest' });
  // What stands behind a comma belongs to the expression, but not to the literal.
  return program.slice(index, (expression.expressions?.[0] ?? expression).end);
}
