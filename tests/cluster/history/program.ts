// A gateway or a worker of a cluster whose page is a counter of the test. Bundled and run by cluster.ts.
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as z from 'zod';
import { loadApp } from '../../../src/app.ts';
import { Janitor } from '../../../src/browser/process/janitor.ts';
import { driverOf } from '../../../src/call/binding.ts';
import { defineTool } from '../../../src/call/tool.ts';
import type { Tool } from '../../../src/call/tool.ts';
import { superviseProcess } from '../../../src/cli/own-process.ts';
import { limitsOf } from '../../../src/cli/commands/serve-network.ts';
import { startGateway } from '../../../src/cluster/gateway/gateway.ts';
import { openRedisStores } from '../../../src/cluster/redis/stores.ts';
import { startWorker } from '../../../src/cluster/worker/start.ts';
import type { RunningWorker } from '../../../src/cluster/worker/start.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { createLogger } from '../../../src/log.ts';
import { KeyRing } from '../../../src/transport/access/keys.ts';
import { keyOf, programOptions } from './program-options.ts';
import { withoutEpochCheck, withoutLease } from './broken-build.ts';

const options = programOptions.parse(JSON.parse(process.argv[2] ?? ''));
const log = createLogger({
  level: options.isLogged ? 'debug' : 'error',
  write: (line) => process.stderr.write(`${options.name} ${line}`),
  now: () => new Date(),
  isTimed: true,
});
const { config } = loadConfig({ argv: ['--toolset', 'all', '--no-dashboard'], env: {}, cwd: process.cwd() });
const opened = await openRedisStores(options.redis, {
  log,
  leaseMs: options.leaseMs,
  commandTimeoutMs: options.leaseMs / 4,
});
const stores = options.broken === 'epochs' ? withoutEpochCheck(opened) : opened;
const limits = { ...limitsOf(config.server), rate: 0 };
const listener = { host: '127.0.0.1', port: options.port, limits };
let running: RunningWorker | undefined;

/** What a page does when it gets an input: the sink counts it. */
async function reach(path: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, options.sink), { method: 'POST', agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(text));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** As a click that first waits for its element: the signal is the only thing that ends the wait. */
const add = defineTool({
  name: 'history_add',
  title: 'Add',
  description: 'Add one effect.',
  effect: 'input',
  scope: 'driver',
  input: { driver: z.string(), call: z.string(), waitMs: z.number() },
  run: async ({ args: { driver, call, waitMs }, response, signal }) => {
    const epoch = running?.worker.placements.of(driverOf({ key: driver, connection: undefined }, false))?.epoch;
    if (waitMs > 0) await after(waitMs, undefined, { signal });
    response.text(await reach('/add', { driver, call, epoch, worker: `${options.name} ${process.pid}` }));
  },
});

const read = defineTool({
  name: 'history_read',
  title: 'Read',
  description: 'Read the number of effects.',
  effect: 'read',
  scope: 'driver',
  input: { driver: z.string() },
  run: async ({ args, response }) => {
    response.text(await reach('/read', args));
  },
});

async function openWorker(): Promise<RunningWorker> {
  const tools: readonly Tool[] = [add, read];
  running = await startWorker({
    stores,
    key: options.clusterKey,
    log,
    name: options.name,
    version: '1.0.0',
    slots: 100,
    sleepAfterMs: 0,
    address: (port) => options.address ?? `http://127.0.0.1:${port}`,
    listener,
    open: async (hooks, { blockedMs }) => {
      if (options.broken !== 'keeper') keep(blockedMs);
      const app = await loadApp({ config, log, stateName: options.name, hooks, tools });
      return { app, endpoint: await app.network() };
    },
  });
  if (options.broken === 'epochs') withoutLease(running.worker);
  return running;
}

let keeper: Janitor | undefined;

/** As in a run folder; its first browser starts the janitor there. */
function keep(blockedMs: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'pagehelm-history-'));
  const watched = { pid: process.pid, beatMs: blockedMs / 3, endsStopped: true };
  keeper = new Janitor({ folder: join(folder, 'run'), path: process.env['PATH'], ownGroup: undefined, log, watched });
}

const server =
  options.role === 'worker'
    ? await openWorker()
    : await startGateway({
        stores,
        key: options.clusterKey,
        log,
        keys: new KeyRing(options.drivers.map((name) => ({ name, key: keyOf(name), scope: {} }))),
        rate: 0,
        listener: { ...listener, allowedHosts: [] },
      });

superviseProcess({ endSync: () => keeper?.release() }, log, {
  dispose: async () => {
    await server[Symbol.asyncDispose]();
    await stores[Symbol.asyncDispose]();
  },
  stdin: process.stdin,
  deadlineMs: 29_000,
});
process.stdin.resume();
process.stdout.write('ready\n');
