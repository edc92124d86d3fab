import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { Refusal } from '../transport/access/guard.ts';
import type { KeyCheck, KeyIdentity } from '../transport/access/keys.ts';
import { deriveKey } from './keys.ts';

/** Carries who sent a request from a gateway to a worker. */
export const identityHeader = 'pagehelm-identity';

const longest = 16_384;
const shape = z.object({ name: z.string(), scope: z.record(z.string(), z.unknown()), version: z.string() });

/** Signs identities, and accepts those that a gateway of the same cluster signed. Workers accept nothing else. */
export class SignedIdentities implements KeyCheck {
  readonly #key: Buffer;

  constructor(clusterKey: string) {
    this.#key = deriveKey(clusterKey, 'identity');
  }

  sign({ name, scope, version }: KeyIdentity): string {
    const payload = Buffer.from(JSON.stringify({ name, scope, version })).toString('base64url');
    return `${payload}.${this.#signature(payload)}`;
  }

  authenticate({ headers }: IncomingMessage): KeyIdentity | Refusal {
    const given = headers[identityHeader];
    const [payload = '', signature = ''] = typeof given === 'string' && given.length <= longest ? given.split('.') : [];
    const expected = Buffer.from(this.#signature(payload));
    const presented = Buffer.from(signature);
    if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return notSigned;
    const { name, scope, version } = shape.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return { name, scope, version };
  }

  /** Gateways check keys for every request. */
  isCurrent(): boolean {
    return true;
  }

  #signature(payload: string): string {
    return createHmac('sha256', this.#key).update(payload).digest('base64url');
  }
}

const notSigned: Refusal = { status: 403, message: 'This is a worker of a cluster: connect to one of its gateways.' };
