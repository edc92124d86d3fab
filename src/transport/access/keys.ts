import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiKey, KeyScope } from '../../config/schema/keys.ts';
import type { Refusal } from './guard.ts';

/** A key without the key itself. */
export interface KeyIdentity {
  readonly name: string;
  readonly scope: KeyScope;
  /** Changes with the key and with its scope. */
  readonly version: string;
}

interface Entry extends KeyIdentity {
  readonly digest: Buffer;
}

/** 256 bits, in characters that need no quoting in a shell, a header or JSON. */
export function generateKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Knows who sends a request. */
export interface KeyCheck {
  /** The sender of the request, or why it is rejected. */
  authenticate(request: IncomingMessage): KeyIdentity | Refusal;
  /** Whether the key is still accepted, with the same scope. */
  isCurrent(identity: KeyIdentity): boolean;
}

/** The keys that are accepted now. */
export class KeyRing implements KeyCheck {
  #entries: readonly Entry[];

  constructor(keys: readonly ApiKey[]) {
    this.#entries = keys.map(entryOf);
  }

  get names(): readonly string[] {
    return [...new Set(this.#entries.map(({ name }) => name))];
  }

  /** Whether the key is still accepted, with the same scope. */
  isCurrent({ version }: KeyIdentity): boolean {
    return this.#entries.some((entry) => entry.version === version);
  }

  replace(keys: readonly ApiKey[]): void {
    this.#entries = keys.map(entryOf);
  }

  /** The identity behind a presented key. Compares digests with all keys, so that the time says nothing about any of them. */
  find(presented: string): KeyIdentity | undefined {
    const digest = digestOf(presented);
    let found: Entry | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) found = entry;
    return found;
  }

  /** The sender of the request, or why it is rejected: 401 without a key, 403 with a wrong one. */
  authenticate({ headers: { authorization } }: IncomingMessage): KeyIdentity | Refusal {
    const [, presented] = /^Bearer +([^\s]+)\s*$/i.exec(authorization ?? '') ?? [];
    if (presented === undefined) {
      const message = 'Authentication required. Send the header "Authorization: Bearer <key>".';
      return { status: 401, message, headers: { 'WWW-Authenticate': 'Bearer realm="pagehelm"' } };
    }
    const found = this.find(presented);
    if (found !== undefined) return found;
    const challenge = 'Bearer realm="pagehelm", error="invalid_token"';
    return { status: 403, message: 'The API key is not valid.', headers: { 'WWW-Authenticate': challenge } };
  }
}

function entryOf({ name, key, scope }: ApiKey): Entry {
  const version = digestOf(JSON.stringify([name, key, scope])).toString('hex');
  return { name, scope, digest: digestOf(key), version };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
