import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../built.ts';
import { eventually } from '../transport/processes.ts';
import { ServerProcess } from '../transport/server-process.ts';
import { workersKey } from '../../src/cluster/redis/keys.ts';
import { Cluster } from './cluster-processes.ts';

beforeAll(async () => ensureBuilt());

/** Starts a worker that is expected to end; returns its exit code and what it wrote. */
async function startRefused(cluster: Cluster, name: string): Promise<readonly [number | null, string]> {
  await using server = new ServerProcess({
    args: [
      '--headless',
      '--isolated',
      '--host=127.0.0.1',
      '--port=0',
      '--role=worker',
      `--worker-name=${name}`,
      `--cluster=${cluster.redis.url}`,
      '--api-key=key-of-alice-and-bob',
    ],
    env: { PAGEHELM_CLUSTER_KEY: 'secret-of-the-test-cluster' },
  });
  await once(server.child, 'close');
  return [server.child.exitCode, server.stderr];
}

test('a second worker of the same name does not start, and the first one is not disturbed', async () => {
  await using cluster = await Cluster.start([], { gateways: 1, workers: 1 });
  await using client = await cluster.client();
  await client.call('browser_navigate', { url: 'data:text/html,<title>Kept</title>' });
  await client.call('browser_evaluate', { function: '() => { window.kept = 1; }' });
  const address = cluster.workers.get('w1')?.origin;
  const [code, stderr] = await startRefused(cluster, 'w1');
  expect(stderr).toContain(
    `WORKER_NAME_TAKEN: another process runs as worker "w1", at ${address}. ` +
      'Give this one another --worker-name, or start it when the other one has ended.',
  );
  expect(code).toBe(2);
  const kept = await client.call('browser_evaluate', { function: '() => window.kept' });
  expect(kept.section('Result')).toBe('1');
});

test('a worker that finds another one under its name ends', async () => {
  await using cluster = await Cluster.start([], { gateways: 0, workers: 1 });
  const worker = cluster.workers.get('w1');
  // As if another one had started while this one was not reachable.
  const known = String(await cluster.redis.command('HGET', workersKey, 'w1'));
  await cluster.redis.command('HSET', workersKey, 'w1', known.replace(/"boot":"[^"]*"/, '"boot":"another"'));
  await eventually('it ends', () => worker?.server.child.exitCode === 0, 20_000);
  expect(worker?.server.stderr).toContain('another process runs as worker');
});
