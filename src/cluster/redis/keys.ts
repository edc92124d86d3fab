import { createHash } from 'node:crypto';
import type { DriverId } from '../../session/session.ts';

function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Keys of one hash tag are on one node of Redis Cluster, so one script can change them together. */
const driverTag = (driver: DriverId): string => `ph:{${shortHash(driver, 16)}}`;

/** Hash: epoch, and while a worker has the driver, worker, boot, address and until. */
export const placementKey = (driver: DriverId): string => `${driverTag(driver)}:p`;

/** Hash: sealed checkpoints by session. */
export const checkpointsKey = (driver: DriverId): string => `${driverTag(driver)}:c`;

/** Hash: a call. Clients choose the ids, so the key has a hash of them. */
export const callKey = (driver: DriverId, call: string): string => `${driverTag(driver)}:j:${shortHash(call, 32)}`;

/** Hash: announcements by name of the worker. */
export const workersKey = 'ph:workers';

/** String: since when the data is complete, and the server that has it. */
export const generationKey = 'ph:generation';

/** What the event ids of a connection begin with. */
export const connectionTag = (connection: string): string => shortHash(connection, 16);

/** Stream: messages of a connection. */
export const eventsKey = (tag: string): string => `ph:{e:${tag}}:s`;

/** String: the bytes of a stream. */
export const eventBytesKey = (tag: string): string => `ph:{e:${tag}}:b`;

export const limitPrefix = 'ph:q';
