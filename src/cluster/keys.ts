import { hkdfSync } from 'node:crypto';

/** A key for one purpose. Another purpose has another one, so that no value made for one is accepted for the other. */
export function deriveKey(clusterKey: string, ...purpose: readonly string[]): Buffer {
  return Buffer.from(hkdfSync('sha256', clusterKey, 'pagehelm cluster', JSON.stringify(purpose), 32));
}
