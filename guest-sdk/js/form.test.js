// What plain objects become as forms, and answers as plain objects.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fieldsOf, replyOf } from './form.js';

const kindOf = (field) => fieldsOf({ field })[0].kind;

test('a field carries its bounds, its format and its default', () => {
  assert.deepEqual(kindOf({ type: 'string', minLength: 1, maxLength: 9, format: 'email', default: 'a@b.c' }), {
    tag: 'text',
    val: { minLength: 1, maxLength: 9, format: 'email', default: 'a@b.c' },
  });
  assert.deepEqual(kindOf({ type: 'integer', minimum: 1, default: 2 }), {
    tag: 'integer',
    val: { minimum: 1n, maximum: undefined, default: 2n },
  });
  assert.deepEqual(kindOf({ type: 'number', maximum: 0.5 }).val.maximum, 0.5);
  assert.deepEqual(kindOf({ type: 'boolean', default: false }), { tag: 'boolean', val: { default: false } });
});

test('choices are a list of values, or what people see by value', () => {
  const { tag, val } = kindOf({ type: 'choice', choices: ['a', 'b'], default: 'b' });
  assert.equal(tag, 'single-choice');
  assert.deepEqual(val.choices, [{ value: 'a', title: undefined }, { value: 'b', title: undefined }]);
  assert.equal(val.default, 'b');
  const several = kindOf({ type: 'choices', choices: { a: 'The A' }, minItems: 1 });
  assert.equal(several.tag, 'multiple-choice');
  assert.deepEqual(several.val.choices, [{ value: 'a', title: 'The A' }]);
  assert.equal(several.val.minItems, 1);
});

test('a field is required unless it is optional, and fields keep their order', () => {
  const fields = fieldsOf({ b: { type: 'string', title: 'B' }, a: { type: 'boolean', optional: true, description: 'An A' } });
  assert.deepEqual(fields.map(({ name, required }) => [name, required]), [['b', true], ['a', false]]);
  assert.deepEqual(fields.map(({ title, description }) => [title, description]), [['B', undefined], [undefined, 'An A']]);
});

test('a type that no form knows is named', () => {
  assert.throws(() => fieldsOf({ who: { type: 'object' } }), /"who" is of the type "object"; expected one of string, integer/);
  assert.throws(() => fieldsOf({ who: { type: 'toString' } }), TypeError);
});

test('answers come as a plain object, with integers as numbers where one can hold them', () => {
  const reply = replyOf({
    tag: 'accept',
    val: [
      { name: 'seats', value: { tag: 'integer', val: 3n } },
      { name: 'huge', value: { tag: 'integer', val: 2n ** 60n + 1n } },
      { name: 'extras', value: { tag: 'choices', val: ['a'] } },
    ],
  });
  assert.deepEqual(reply, { action: 'accept', content: { seats: 3, huge: 2n ** 60n + 1n, extras: ['a'] } });
  assert.deepEqual(replyOf({ tag: 'decline' }), { action: 'decline' });
});
