import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressIn, dotted, spellingsOf } from '../../tests/address-spellings.ts';
import { anyText } from '../../tests/any-text.ts';
import { firstSeed } from '../../tests/extent.ts';
import { parseDomainRule } from '../config/domain-rule.ts';
import { DomainPolicy, hostRule } from './domains.ts';

const options = { numRuns: 400, seed: firstSeed };
const none = { allowedOrigins: [], blockedOrigins: [] };

/** A network, and the spelling of a URL of one of its addresses. */
const member = fc
  .tuple(fc.integer({ min: 2 ** 24, max: 2 ** 32 - 1 }), fc.integer({ min: 1, max: 32 }))
  .chain(([base, prefix]) =>
    fc.record({ network: fc.constant(`${dotted(base)}/${prefix}`), spelling: spellingsOf(addressIn(base, prefix)) }),
  );

test('no spelling of an address escapes a block of its network', () => {
  fc.assert(
    fc.property(member, ({ network, spelling: { address, url } }) => {
      const policy = new DomainPolicy({ ...none, blockedDomains: [network], allowedDomains: ['*'] });
      expect(policy.verdictOn(new URL(url).href)).toContain(network);
      expect(policy.verdictOnAddress(address, 80, 'name.example')).toContain(network);
    }),
    options,
  );
});

test('an allowed network allows its addresses and no other', () => {
  const other = spellingsOf(fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(member, other, ({ network, spelling }, outside) => {
      const policy = new DomainPolicy({ ...none, allowedDomains: [network] });
      expect(policy.verdictOn(new URL(spelling.url).href)).toBeUndefined();
      const isMember = policy.verdict(outside.address, 80) === undefined;
      expect(policy.verdictOn(new URL(outside.url).href) === undefined).toBe(isMember);
    }),
    options,
  );
});

const label = fc.stringMatching(/^[a-z](?:[a-z0-9]{0,6}[a-z])?$/);
const domain = fc.array(label, { minLength: 2, maxLength: 3 }).map((labels) => labels.join('.'));
const spelledName = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `${name}.`,
  (name) => name.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`),
  (name) => name.replaceAll('.', '\u3002'),
  (name) => name.replace(/^./, (first) => String.fromCharCode(first.charCodeAt(0) + 0xfee0)),
  (name) => `user:pass@${name}`,
);

test('no spelling of a name escapes a rule, and a name that only looks alike does not match', () => {
  const before = fc.constantFrom('', 'www.', 'a.b.');
  fc.assert(
    fc.property(domain, before, spelledName, (name, first, spell) => {
      const url = new URL(`http://${spell(`${first}${name}`)}/`).href;
      const policy = new DomainPolicy({ ...none, allowedDomains: [`*.${name}`] });
      expect(policy.verdictOn(url)).toBeUndefined();
      expect(new DomainPolicy({ ...none, blockedDomains: [`*.${name}`] }).verdictOn(url)).toContain(name);
      for (const alike of [`x${name}`, `${name}.x`, name.replace('.', '-'), `${name}@x.example`]) {
        expect(policy.verdictOn(`http://${alike}/`), alike).toBeDefined();
      }
    }),
    options,
  );
});

const group = fc.nat({ max: 65_535 }).map((value) => value.toString(16));
const address = fc.oneof(
  fc.nat({ max: 2 ** 31 - 1 }).map(dotted),
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => `[${groups.join(':')}]`),
  fc.constantFrom('::1', '[::1]', 'fe80::1', '127.1', '0x7f.1', '2130706433', '127.0.0'),
);

/** A host that a rule is meant for. */
function sampleOf(host: string): string {
  const name = host === '*' ? 'example.com' : host.replace(/^\*?\./, '');
  return name.includes(':') ? `[${name}]` : name;
}

test('any text is a rule that matches a URL, or a problem', () => {
  const text = fc.oneof(
    anyText(30),
    fc.string({ unit: fc.constantFrom(...'ab1.:*/[]-_0f '.split('')), maxLength: 20 }),
    fc
      .tuple(
        fc.constantFrom('', '*.', '.', 'https://', 'http://*.'),
        domain,
        fc.constantFrom('', ':80', ':*', '/', '.', '/8', ':99999'),
      )
      .map((parts) => parts.join('')),
    fc.tuple(address, fc.constantFrom('', '/8', '/64', '/129', ':80', '.*')).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      const rule = parseDomainRule(given);
      if ('problem' in rule) {
        expect(rule.problem).toContain('is not a rule: ');
        return;
      }
      const url = `http://${sampleOf(rule.host)}:${rule.port ?? '80'}/`;
      expect(URL.canParse(url) && hostRule(rule)(url), `${JSON.stringify(given)} for ${url}`).toBe(true);
    }),
    { ...options, numRuns: 2000 },
  );
});
