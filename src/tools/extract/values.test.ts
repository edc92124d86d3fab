import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';
import { planOfFields, planOfSchema } from './plan.ts';
import { itemOf, numberIn, truthOf } from './values.ts';

const numbers: readonly (readonly [text: string, value: number | null])[] = [
  ['12', 12],
  ['$1,234.50', 1234.5],
  ['1.234,50 €', 1234.5],
  ['1 234,50 zł', 1234.5],
  ["CHF 1'234.–", 1234],
  ['12,5 %', 12.5],
  ['1,234', 1234],
  ['1.234.567', 1_234_567],
  ['3.14', 3.14],
  ['−7 °C', -7],
  ['1.2k views', 1200],
  ['5 km', 5],
  ['4.5 out of 5', 4.5],
  ['(230)', 230],
  ['★ 3.2 (230)', 3.2],
  ['2 3', 2],
  ['none', null],
  ['', null],
];
test.each(numbers)('the first number in %j is %j', (text, value) => {
  expect(numberIn(text)).toBe(value);
});

const truths: readonly (readonly [text: string, value: boolean | null])[] = [
  ['Yes', true],
  ['In stock', true],
  ['https://schema.org/InStock', true],
  ['✓', true],
  ['not available', false],
  ['Out of stock', false],
  ['false', false],
  ['maybe', null],
];
test.each(truths)('%j means %j', (text, value) => {
  expect(truthOf(text)).toBe(value);
});

test('values go to their places, whatever the names are', () => {
  const [part] = planOfFields({ a: 'x', '__proto__.b': 'y', deep: { list: ['z'] } }, undefined);
  const item = itemOf(part?.fields ?? [], { a: '1', '__proto__.b': '2', 'deep.list': ['3'] });
  expect(JSON.stringify(item)).toBe('{"a":"1","__proto__.b":"2","deep":{"list":["3"]}}');
  const odd = planOfSchema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'), undefined);
  const made = itemOf(odd[0]?.fields ?? [], { ['__proto__']: 'x' });
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
});

test('a schema that refers to itself is refused', () => {
  const schema = { type: 'object', properties: { a: { $ref: '#' } } };
  expect(() => planOfSchema(schema, undefined)).toThrow('schema: a.a.a.a.a is nested too deeply.');
});

test('CSV has the names of all items, and quotes what must be quoted', () => {
  const items = [{ a: 1, b: { c: 'x, y' } }, { a: null, d: ['p', 'q'], b: { c: 'say "hi"' } }, { a: '### x' }];
  expect(csvOf(items)).toEqual(['a,b.c,d', '1,"x, y",', ',"say ""hi""","p; q"', '"### x",,']);
});
