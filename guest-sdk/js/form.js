/**
 * Plain objects as forms: each member is a field, in the order in which the user sees them.
 *
 *     {
 *       email:  { type: 'string', description: 'Where to write to', format: 'email' },
 *       seats:  { type: 'integer', minimum: 1, maximum: 9, default: 2 },
 *       budget: { type: 'number', optional: true },
 *       window: { type: 'boolean', title: 'Window seat' },
 *       diet:   { type: 'choice', choices: ['all', 'vegan'] },
 *       extras: { type: 'choices', choices: { bread: 'Bread and butter', water: 'Water' }, maxItems: 2, optional: true },
 *     }
 *
 * Every field may have `title`, `description`, `default`, and `optional` where it need not be filled in. Texts have
 * `minLength`, `maxLength` and `format` (email, uri, date, date-time); numbers `minimum` and `maximum`; `choices` have `minItems`
 * and `maxItems`. What there is to choose from is a list of values, or an object of what people see by value.
 */

/** For each type: the contract's name for it, and how to say it in the contract's terms. */
const KINDS = {
  string: ['text', ({ minLength, maxLength, format, default: shown }) => ({ minLength, maxLength, format, default: shown })],
  integer: ['integer', ({ minimum, maximum, default: shown }) => bounds(minimum, maximum, shown, BigInt)],
  number: ['number', ({ minimum, maximum, default: shown }) => bounds(minimum, maximum, shown, Number)],
  boolean: ['boolean', ({ default: shown }) => ({ default: shown })],
  choice: ['single-choice', ({ choices, default: shown }) => ({ choices: choicesOf(choices), default: shown })],
  choices: [
    'multiple-choice',
    ({ choices, minItems, maxItems, default: shown }) => ({ choices: choicesOf(choices), minItems, maxItems, default: shown }),
  ],
};

/** The contract's fields of a form. */
export function fieldsOf(form) {
  return Object.entries(form).map(([name, field]) => {
    const kind = Object.hasOwn(KINDS, field.type) ? KINDS[field.type] : undefined;
    if (!kind) {
      const types = Object.keys(KINDS).join(', ');
      throw new TypeError(`the field "${name}" is of the type "${field.type}"; expected one of ${types}`);
    }
    const [tag, inTerms] = kind;
    const { title, description, optional = false } = field;
    return { name, title, description, required: !optional, kind: { tag, val: inTerms(field) } };
  });
}

/** What the user did, with the answers as a plain object: `{ action: 'accept', content }`, or `{ action }` alone. */
export function replyOf({ tag, val }) {
  if (tag !== 'accept') return { action: tag };
  return { action: tag, content: Object.fromEntries(val.map(({ name, value }) => [name, plain(value.val)])) };
}

/** An integer comes as a number where a number can hold it. */
function plain(value) {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;
}

function bounds(minimum, maximum, shown, make) {
  const made = (value) => (value === undefined ? undefined : make(value));
  return { minimum: made(minimum), maximum: made(maximum), default: made(shown) };
}

function choicesOf(choices) {
  if (Array.isArray(choices)) return choices.map((value) => ({ value, title: undefined }));
  return Object.entries(choices).map(([value, title]) => ({ value, title }));
}
