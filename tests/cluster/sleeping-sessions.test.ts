import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openRedisStores } from '../../src/cluster/redis/stores.ts';
import { Seal } from '../../src/cluster/seal.ts';
import type { Checkpoint } from '../../src/session/persistence/checkpoint.ts';
import { RedisServer } from '../redis-server.ts';
import { log, settle, take, worker } from './stores/kinds.ts';

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** A session that is signed in at one site, with another one open beside it. */
function typicalCheckpoint(): Checkpoint {
  const expires = 1_900_000_000;
  const cookie = (name: string, value: string, domain: string) =>
    ({ name, value, domain, path: '/', expires, httpOnly: true, secure: true, sameSite: 'Lax' }) as const;
  const account = {
    id: random(9),
    name: 'Person',
    plan: 'team',
    locale: 'en',
    theme: 'dark',
    features: ['a', 'b', 'c'],
  };
  return {
    state: {
      cookies: [
        cookie('session', random(96), 'app.example.com'),
        cookie('csrf', random(24), 'app.example.com'),
        cookie('device', random(16), '.example.com'),
        cookie('_ga', `GA1.1.${random(12)}`, '.example.com'),
        cookie('_gid', `GA1.1.${random(12)}`, '.example.com'),
        cookie('consent', 'necessary=1&statistics=0&marketing=0', '.example.com'),
        cookie('locale', 'en-GB', 'app.example.com'),
        cookie('visitor', random(16), '.docs.example.org'),
      ],
      origins: [
        {
          origin: 'https://app.example.com',
          localStorage: [
            { name: 'token', value: random(300) },
            { name: 'account', value: JSON.stringify(account) },
            { name: 'drafts', value: JSON.stringify([{ id: random(6), text: 'A text that was begun. '.repeat(10) }]) },
            ...Array.from({ length: 10 }, (_, at) => ({ name: `setting.${at}`, value: random(12) })),
          ],
        },
      ],
    },
    tabs: [
      {
        url: `https://app.example.com/projects/${random(9)}/board?view=list`,
        storage: [{ origin: 'https://app.example.com', sessionStorage: [{ name: 'tab', value: random(16) }] }],
      },
      { url: 'https://docs.example.org/guide/getting-started', storage: [] },
    ],
    active: 0,
  };
}

test('10,000 sleeping sessions, each with a driver of its own, need at most 40 MB of Redis', async () => {
  await using server = await RedisServer.start();
  await using stores = await openRedisStores(server.url, { log, commandTimeoutMs: 60_000 });
  await settle(server);
  const seal = new Seal('a cluster key of some length');
  const usedMemory = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(String(await server.command('INFO', 'memory')))?.[1]);
  const before = await usedMemory();
  let [json, sealedBytes] = [0, 0];
  for (let at = 0; at < 10_000; at += 250)
    await Promise.all(
      Array.from({ length: 250 }, async (_, index) => {
        const [driver, session] = [`driver-${at + index}`, `session-${random(9)}`];
        const value = Buffer.from(JSON.stringify(typicalCheckpoint()));
        const sealed = await seal.seal({ driver, session }, value);
        json += value.length;
        sealedBytes += sealed.length;
        const held = await take(stores, driver, worker('w1'));
        await stores.checkpoints.save(held, session, sealed, 3_600_000);
        await stores.directory.release(held);
      }),
    );
  const used = (await usedMemory()) - before;
  process.stdout.write(
    `10,000 sleeping sessions: ${(used / 1e6).toFixed(1)} MB of Redis; a checkpoint has ${json / 10_000} bytes of JSON, ` +
      `${sealedBytes / 10_000} sealed\n`,
  );
  expect(used).toBeLessThanOrEqual(40_000_000);
  expect((await stores.checkpoints.load('driver-9999')).size).toBe(1);
});
