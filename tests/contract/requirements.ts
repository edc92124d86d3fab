/** How many requirements each part has; ids count from one, with two digits where the part writes them so. */
const parts = [
  { name: 'S0', count: 62, digits: 2 },
  { name: 'S1', count: 135, digits: 2 },
  { name: 'S2', count: 131, digits: 2 },
  { name: 'S3', count: 50, digits: 2 },
  { name: 'S4', count: 49, digits: 2 },
  { name: 'R', count: 38, digits: 1 },
  { name: 'C5', count: 16, digits: 1 },
] as const;

/** The id of every requirement, in order. */
export const requirementIds: readonly string[] = parts.flatMap(({ name, count, digits }) =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index + 1).padStart(digits, '0')}`),
);

/** Requirements that another one restricts. A test with both ids in its title shows the restriction. */
export const restrictions: readonly { readonly id: string; readonly by: string; readonly rule: string }[] = [
  {
    id: 'S1-24',
    by: 'C5-3',
    rule: 'get_value returns [REDACTED] for a password, one-time-code or card field; R-23 does the same for typed text',
  },
];

const id = String.raw`[A-Z]\d?-\d+`;
/** A string that begins with ids in brackets, and its prefix: only titles of tests cover a requirement. */
const title = new RegExp(
  String.raw`((?:\bdescribe|\.skip|\.todo|\.fails)[\w.]*\(\s*)?(['"\x60])\[(${id}(?:, ?${id})*)\]`,
  'g',
);

/** The ids of each title of a test in a file: `test('[S2-13, S2-14] a click …')`, or in the table of a `test.each`. */
export function idsPerTitle(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(title)].flatMap(([, before, , ids = '']) =>
    before === undefined ? [ids.split(/, ?/)] : [],
  );
}

export function idsInTitles(text: string): readonly string[] {
  return idsPerTitle(text).flat();
}
