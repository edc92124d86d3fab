import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deriveKey } from './keys.ts';

const capabilities = z.record(z.string(), z.json());

const connection = z.object({
  /** The name of the API key. */
  driver: z.string(),
  protocolVersion: z.string(),
  capabilities,
  clientInfo: z.object({ name: z.string(), version: z.string() }),
  /** Makes ids of equal connections differ. */
  nonce: z.string(),
});

/** What a worker has to know to serve a 2025 connection that another worker opened. */
export type ConnectionInfo = z.output<typeof connection>;

const prefix = 'ph1';
const longestId = 2048;
const longestName = 100;
/** Visible ASCII, as the protocol demands of a session id. */
const idPattern = /^ph1\.([\w-]+)\.([\w-]{43})$/;

/** Makes and checks ids of 2025 connections. They carry the connection and a signature, so no store has to know them. */
export class SessionIds {
  readonly #key: Buffer;

  constructor(clusterKey: string) {
    this.#key = deriveKey(clusterKey, 'session id');
  }

  /** Undefined if the capabilities are too long for a header. */
  sign(info: ConnectionInfo): string | undefined {
    const { name, version } = info.clientInfo;
    const short = { ...info, clientInfo: { name: name.slice(0, longestName), version: version.slice(0, longestName) } };
    // No part of the server reads these two, and clients may put anything into them.
    const { experimental: _, extensions: __, ...needed } = info.capabilities;
    return [short, { ...short, capabilities: needed }]
      .map((each) => this.#signed(each))
      .find((id) => id.length <= longestId);
  }

  /** The connection of an id that a process of this cluster signed. */
  verify(id: string): ConnectionInfo | undefined {
    const [, payload = '', signature = ''] = id.length <= longestId ? (idPattern.exec(id) ?? []) : [];
    // The texts are compared, not the bytes: base64 has several texts for the same bytes.
    if (!timingSafeEqual(Buffer.from(this.#signature(payload)), Buffer.from(signature.padEnd(43)))) return undefined;
    return connection.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data;
  }

  #signed(info: ConnectionInfo): string {
    const payload = Buffer.from(JSON.stringify(info)).toString('base64url');
    return `${prefix}.${payload}.${this.#signature(payload)}`;
  }

  #signature(payload: string): string {
    return createHmac('sha256', this.#key).update(payload).digest('base64url');
  }
}
