/**
 * A tool in JavaScript that asks two questions and then orders, once.
 *
 * It shows a form with every kind of field, a second question that depends on the first answer, progress, a value that is
 * worked out once, and an error that the model reads. The function runs three times in a conversation of three round trips, and
 * each run finds the answers given so far.
 */

import { ToolError, defineTools } from '../../guest-sdk/js/index.js';

const MENU = {
  pasta: { napoli: 'Napoli', pesto: 'With pesto' },
  soup: { lentil: 'Lentil', tomato: 'Tomato' },
};

const preferences = {
  kind: { type: 'choice', description: 'What kind of dish', choices: Object.keys(MENU) },
  portions: { type: 'integer', description: 'How many portions', minimum: 1, maximum: 20, default: 1 },
  email: { type: 'string', title: 'Email address', description: 'Where the receipt goes', format: 'email' },
  extras: { type: 'choices', description: 'What else', choices: { bread: 'Bread', water: 'Water' }, optional: true },
  tip: { type: 'number', description: 'A tip, in euros', minimum: 0, optional: true },
  note: { type: 'string', description: 'A word to the kitchen', maxLength: 80, optional: true },
  cutlery: { type: 'boolean', description: 'With cutlery', default: false },
};

const input = {
  type: 'object',
  properties: { office: { type: 'string', description: 'Where to bring it', minLength: 1 } },
  required: ['office'],
};

const output = {
  type: 'object',
  properties: {
    status: { enum: ['ordered', 'cancelled'] },
    reference: { type: 'string' },
    openedAt: { type: 'number' },
    luckyNumber: { type: 'number' },
    dish: { type: 'string' },
    preferences: { type: 'object' },
  },
  required: ['status'],
};

/** Orders lunch. The user says what kind of dish, and then which. */
function orderLunch(ctx, { office }) {
  if (office === 'the moon') throw new ToolError('nobody delivers to the moon');
  ctx.progress(1, 3, 'asking for preferences');
  const first = ctx.elicit({ message: `What is for lunch in ${office}?`, fields: preferences });
  if (first.action !== 'accept') return { status: 'cancelled' };

  const { kind, portions } = first.content;
  const openedAt = ctx.once('opened', () => Date.now());
  const [reference, luckyNumber] = [crypto.randomUUID(), Math.random()];
  ctx.progress(2, 3, 'asking for the dish');
  const message = `Which ${kind}, for order ${reference}?`;
  const second = ctx.elicit({ message, fields: { dish: { type: 'choice', choices: MENU[kind] } } });
  if (second.action !== 'accept') return { status: 'cancelled' };

  ctx.progress(3, 3, 'ordered');
  const note = first.content.note === undefined ? '' : decodeURIComponent(first.content.note); // a lone % throws here
  console.log(`${portions} x ${second.content.dish} to ${office}. ${note}`);
  return { status: 'ordered', reference, openedAt, luckyNumber, dish: second.content.dish, preferences: first.content };
}

export const tools = defineTools({
  'js-lunch': {
    title: 'Order lunch',
    description: 'Orders lunch. The user says what kind of dish, and then which.',
    annotations: { destructive: false },
    input,
    output,
    run: orderLunch,
  },
});
