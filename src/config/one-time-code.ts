import { createHmac } from 'node:crypto';

/** How to make one-time codes (RFC 6238). */
export interface CodeSource {
  readonly seed: string;
  readonly key: Buffer;
  readonly algorithm: string;
  readonly digits: number;
  readonly periodMs: number;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const algorithms: Readonly<Record<string, string>> = { SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' };

/** Whether a secret is meant as the source of one-time codes. */
export function isCodeSource(value: string): boolean {
  return /^otpauth:/i.test(value);
}

/** Reads `otpauth://totp/Label?secret=BASE32`, as authenticator apps do. */
export function readCodeSource(value: string): CodeSource | { readonly problem: string } {
  if (!URL.canParse(value)) return { problem: 'is not a URL' };
  const { hostname, pathname, searchParams } = new URL(value);
  const kind = hostname === '' ? pathname.replace(/^\/*([^/]*).*$/, '$1') : hostname;
  if (kind.toLowerCase() !== 'totp') return { problem: 'must begin with otpauth://totp/' };
  const seed = searchParams.get('secret') ?? '';
  const key = fromBase32(seed);
  if (key === undefined) return { problem: 'needs a secret in base32' };
  const algorithm = algorithms[(searchParams.get('algorithm') ?? 'SHA1').toUpperCase()];
  if (algorithm === undefined) return { problem: 'has an unknown algorithm; SHA1, SHA256 and SHA512 are known' };
  const digits = Number(searchParams.get('digits') ?? 6);
  const period = Number(searchParams.get('period') ?? 30);
  if (!Number.isInteger(digits) || digits < 6 || digits > 10) return { problem: 'may have 6 to 10 digits' };
  if (!Number.isInteger(period) || period < 1) return { problem: 'has no valid period' };
  return { seed, key, algorithm, digits, periodMs: period * 1000 };
}

/** The code at a time. */
export function codeAt({ key, algorithm, digits, periodMs }: CodeSource, now: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / periodMs)));
  const hash = createHmac(algorithm, key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

function fromBase32(text: string): Buffer | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s=-]/g, '');
  if (letters === '' || !/^[A-Z2-7]+$/.test(letters)) return undefined;
  const bits = letters
    .split('')
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Why a secret cannot be a source of one-time codes although it is meant as one. */
export function codeSourceProblem(value: string): string | undefined {
  if (!isCodeSource(value)) return undefined;
  const source = readCodeSource(value);
  return 'problem' in source ? source.problem : undefined;
}
