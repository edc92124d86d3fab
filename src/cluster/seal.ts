import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { DriverId } from '../session/session.ts';
import { deriveKey } from './keys.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes + tagBytes;
/** Of JSON, this quality takes a fifth of the highest one's time and is a few percent longer. */
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** No checkpoint is this long: opening one must not fill the memory. */
const longestValue = 256 * 1024 * 1024;

/** The session that a sealed value belongs to. Opened for another one, it is rejected. */
export interface SealedFor {
  readonly driver: DriverId;
  readonly session: string;
}

/** Encrypts what leaves the process, so that readers of the stores see no cookies and cannot change or exchange values. */
export class Seal {
  readonly #clusterKey: string;

  constructor(clusterKey: string) {
    this.#clusterKey = clusterKey;
  }

  async seal(owner: SealedFor, value: Buffer): Promise<Buffer> {
    const compressed = await compress(value, compression);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(owner), nonce).setAAD(dataOf(owner));
    const encrypted = Buffer.concat([cipher.update(compressed), cipher.final()]);
    return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Undefined if the value was changed, or was not sealed for this session under this key. */
  async open(owner: SealedFor, sealed: Buffer): Promise<Buffer | undefined> {
    if (sealed.length < headerBytes || sealed[0] !== version) return undefined;
    const nonce = sealed.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(owner), nonce, { authTagLength: tagBytes })
      .setAAD(dataOf(owner))
      .setAuthTag(sealed.subarray(1 + nonceBytes, headerBytes));
    let compressed: Buffer;
    try {
      compressed = Buffer.concat([decipher.update(sealed.subarray(headerBytes)), decipher.final()]);
    } catch {
      return undefined;
    }
    return decompress(compressed, { maxOutputLength: longestValue });
  }

  /** A key for each session: under one key for all, random nonces would repeat after some billions of values. */
  #keyOf({ driver, session }: SealedFor): Buffer {
    return deriveKey(this.#clusterKey, 'checkpoint', driver, session);
  }
}

function dataOf({ driver, session }: SealedFor): Buffer {
  return Buffer.from(JSON.stringify([driver, session]));
}
