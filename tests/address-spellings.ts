import * as fc from 'fast-check';

/** A generated address and a URL that leads to it in some spelling. */
interface Spelling {
  readonly address: string;
  readonly url: string;
}

/** An IPv4 address of a network. */
export function addressIn(network: number, prefix: number): fc.Arbitrary<number> {
  const size = 2 ** (32 - prefix);
  return fc.nat({ max: size - 1 }).map((host) => Math.floor(network / size) * size + host);
}

export function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

const radix = fc.constantFrom<(part: number) => string>(
  (part) => String(part),
  (part) => `0${part.toString(8)}`,
  (part) => `000${part.toString(8)}`,
  (part) => `0x${part.toString(16)}`,
  (part) => `0X00${part.toString(16).toUpperCase()}`,
);

/** One to four parts, each decimal, octal or hexadecimal: the last part holds the rest of the address. */
const numeric = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(radix, { minLength: 4, maxLength: 4 }));

function inParts(address: number, count: number, spellings: readonly ((part: number) => string)[]): string {
  const first = Array.from({ length: count - 1 }, (_, at) => Math.floor(address / 2 ** (24 - at * 8)) % 256);
  const rest = address % 2 ** (32 - first.length * 8);
  return [...first, rest].map((part, at) => spellings[at]?.(part) ?? String(part)).join('.');
}

/** Other characters that a URL parser takes for the same ones. */
const disguises: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${character.charCodeAt(0).toString(16)}`,
  (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  (character) => (character === '.' ? '\u3002' : character),
  (character) => `\u00ad${character}`,
  (character) => `${character}\t`,
];

const disguise = fc.array(fc.constantFrom(...disguises), { minLength: 1, maxLength: 8 });

function disguised(host: string, ways: readonly ((character: string) => string)[]): string {
  return host
    .split('')
    .map((character, at) => ways[at % ways.length]?.(character) ?? character)
    .join('');
}

const groupsOf = (address: number): string =>
  `${Math.floor(address / 65_536).toString(16)}:${(address % 65_536).toString(16)}`;

/** IPv6 addresses that reach the same IPv4 address. */
const embeddings: readonly ((address: number) => string)[] = [
  (address) => `::ffff:${dotted(address)}`,
  (address) => `::ffff:${groupsOf(address)}`,
  (address) => `0:0:0:0:0:FFFF:${groupsOf(address).toUpperCase()}`,
  (address) => `64:ff9b::${dotted(address)}`,
  (address) => `0064:FF9B:0:0:0:0:${groupsOf(address)}`,
  (address) => `64:ff9b:1::${groupsOf(address)}`,
  (address) => `::ffff:0:${dotted(address)}`,
  (address) => `2002:${groupsOf(address)}::`,
  (address) => `2002:${groupsOf(address)}:1:2:3:4:5`,
];

const prefixOfUrl = fc.constantFrom('http://', 'HTTP://', 'https://', 'ht\ntp:\\\\', 'http:', ' http:/', 'hTTps:///');
const user = fc.constantFrom('', 'user@', 'user:pass@', 'example.com@', 'https:%2F%2Fexample.com@', 'a:b:c@@');
const end = fc.constantFrom('', '/', ':8080/', ':0080/path', '?example.com', '#@example.com', '\\@example.com/');

/** URLs of an address, in every spelling that a URL parser accepts. */
export function spellingsOf(addresses: fc.Arbitrary<number>): fc.Arbitrary<Spelling> {
  const ipv4 = fc
    .tuple(addresses, numeric, disguise, fc.constantFrom('', '.'))
    .map(([address, [count, spellings], ways, dot]) => ({
      address,
      host: `${disguised(inParts(address, count, spellings), ways)}${dot}`,
    }));
  const ipv6 = fc
    .tuple(addresses, fc.constantFrom(...embeddings))
    .map(([address, embed]) => ({ address, host: `[${embed(address)}]` }));
  return fc
    .tuple(prefixOfUrl, user, fc.oneof(ipv4, ipv6), end)
    .map(([start, credentials, { address, host }, rest]) => ({
      address: dotted(address),
      url: `${start}${credentials}${host}${rest}`,
    }));
}
