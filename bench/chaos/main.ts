/**
 * Injects the faults of the matrix in docs/reliability.md into the built server, and checks what it does. The same seed
 * gives the same faults.
 *
 *   npm run chaos [-- --seed 1] [--short] [row …]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../random.ts';
import { ServerClient } from '../server-client.ts';
import { browserRows } from './browser-rows.ts';
import { machineRows } from './machine-rows.ts';
import { networkRows } from './network-rows.ts';
import { NotHere } from './row.ts';
import type { Page, Row, Scene } from './row.ts';
import { serverRows } from './server-rows.ts';

/** Faults that this program does not make, and why. */
const missing: readonly (readonly [id: string, fault: string, reason: string])[] = [
  ['18', 'a client that does not read', 'tests/transport/http-limits.test.ts makes it'],
  ['36', 'the egress proxy ends', 'it is part of the server process, so it cannot end alone'],
  ['37–39', 'faults of a cluster', 'npm run test:cluster makes them'],
  ['40', 'memory over a day', 'npm run soak'],
];

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const seed = Number(values.seed ?? Date.now() % 100_000);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Serves pages; returns the origin and a function that ends it. */
async function serve(
  pages: Readonly<Record<string, Page>>,
): Promise<{ readonly origin: string; readonly end: () => void }> {
  const server = createServer((request, response) => {
    const page = pages[(request.url ?? '/').replace(/\?.*$/, '')];
    if (typeof page === 'function') page(response);
    else response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, end };
}

class Stage implements AsyncDisposable {
  #shared: ServerClient | undefined;
  readonly #ends: (() => unknown)[] = [];

  /** The surroundings of one row; the same seed and row give the same choices. */
  sceneOf({ id }: Row): Scene {
    const number = [...Buffer.from(id)].reduce((sum, byte) => sum * 31 + byte, seed);
    return {
      random: new Random(number),
      shared: async () => (this.#shared ??= await ServerClient.open(['--max-sessions=50'])),
      fresh: async (args = [], env = {}) => ServerClient.open(args, env),
      folder: async () => {
        const folder = await mkdtemp(join(tmpdir(), 'pagehelm-chaos-'));
        this.#ends.push(async () => rm(folder, { recursive: true, force: true }));
        return folder;
      },
      serve: async (pages) => {
        const { origin, end } = await serve(pages);
        this.#ends.push(end);
        return origin;
      },
      inject: (what) => say(`   ${id}: ${what}`),
    };
  }

  async afterRow(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  /** Ends the shared server; returns the number of processes it left behind. */
  async end(): Promise<number> {
    const shared = this.#shared;
    this.#shared = undefined;
    return (await shared?.end()) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.afterRow();
    await this.end();
  }
}

async function main(): Promise<number> {
  say(`seed ${seed}`);
  const all = [...browserRows, ...machineRows, ...networkRows, ...serverRows];
  const rows = all.filter(({ id, isShort }) =>
    positionals.length > 0 ? positionals.includes(id) : !values.short || isShort === true,
  );
  await using stage = new Stage();
  const failed: string[] = [];
  const absent: string[] = [];
  for (const row of rows) {
    const started = performance.now();
    const took = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      await row.run(stage.sceneOf(row));
      say(`ok ${row.id} ${row.fault} (${took()})`);
    } catch (error: unknown) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof NotHere) absent.push(`${row.id} ${row.fault}: ${reason}`);
      else failed.push(row.id);
      say(`${error instanceof NotHere ? 'not here' : 'FAILED'} ${row.id} ${row.fault} (${took()}): ${reason}`);
    }
    await stage.afterRow();
  }
  const left = await stage.end();
  if (left > 0) failed.push(`${left} processes were left behind`);
  for (const [id, fault, reason] of missing) absent.push(`${id} ${fault}: ${reason}`);
  say(`Not made here: ${absent.join('; ')}`);
  say(
    `${rows.length - failed.length} of ${rows.length} rows hold, seed ${seed}${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}`,
  );
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
