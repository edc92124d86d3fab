import * as fc from 'fast-check';

const character = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 0x7f }) },
  { weight: 1, arbitrary: fc.nat({ max: 0xff_ff }) },
  { weight: 1, arbitrary: fc.nat({ max: 0x10_ff_ff }) },
);

/** Text of any characters, lone surrogates included. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(character, { maxLength }).map((points) => String.fromCodePoint(...points));
}
