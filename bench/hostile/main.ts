/**
 * Visits hostile pages with a real server while another session works, and reports the slowest call beyond its
 * time-out, the largest memory of the server, and how much slower the other session became.
 *
 *   npm run hostile-report [-- --minutes 10] [name-part …]
 */
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hostilePages } from '../../tests/site/hostile-zoo.ts';
import type { HostilePage } from '../../tests/site/hostile-zoo.ts';
import { rssMiB } from '../proc.ts';
import { ServerClient } from '../server-client.ts';
import type { CallTool } from '../server-client.ts';
import { serveHostile, visit } from './visit.ts';
import type { Visit } from './visit.ts';

const baselineMs = 8000;
const canaryPauseMs = 100;

const canaryPage: HostilePage = {
  name: 'canary',
  html: '<title>Canary</title><button id="go">Go</button><p id="out">0</p><script>go.onclick = () => { out.textContent++ }</script>',
};

async function main(): Promise<void> {
  const { values, positionals: wanted } = parseArgs({
    options: { minutes: { type: 'string' } },
    allowPositionals: true,
  });
  const until = Date.now() + Number(values.minutes ?? 1440) * 60_000;
  const chosen = hostilePages.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  // Pages that use much CPU time come last.
  const pages = [...chosen.filter((page) => page.isHeavy !== true), ...chosen.filter((page) => page.isHeavy === true)];
  await using server = await ServerClient.open();
  const { call } = server;
  const memory = new PeakMemory(server.pid);
  const canary = await Canary.open(server);
  await after(baselineMs);
  const undisturbed = canary.takeTimes();
  const disturbed = { light: [] as number[], heavy: [] as number[] };
  const bad: string[] = [];
  let visits = 0;
  for (const page of pages) {
    if (Date.now() > until) break;
    visits++;
    memory.reset();
    const sessionId = await server.createSession();
    const visited = await visit(page, async (name, given) => call(name, { ...given, sessionId })).catch(
      (error: unknown) => ({ page: page.name, calls: [], hasLeft: false, error }),
    );
    const times = canary.takeTimes();
    disturbed[page.isHeavy === true ? 'heavy' : 'light'].push(...times);
    if (!print(visited, { peak: memory.peak, p95: quantile(times, 0.95) })) bad.push(page.name);
    await call('close_session', { sessionId });
  }
  await canary.end();
  const before = quantile(undisturbed, 0.95);
  const slower = (times: readonly number[]): string => {
    const p95 = quantile(times, 0.95);
    return `${p95} ms, ${(p95 / before).toFixed(2)} times`;
  };
  process.stdout.write(
    `\n${visits} of ${pages.length} pages. Other session p95: ${before} ms undisturbed; beside pages that use the CPU little ` +
      `${slower(disturbed.light)}; beside all others ${slower(disturbed.heavy)}. ` +
      `Failed calls of the other session: ${canary.failures}. Peak of the server: ${memory.highest} MB.\n` +
      `${bad.length} pages beyond a limit${bad.length > 0 ? `: ${bad.join('; ')}` : ''}\n`,
  );
}

function print(
  visited: Visit & { readonly error?: unknown },
  { peak, p95 }: { readonly peak: number; readonly p95: number },
): boolean {
  const beyond = Math.max(0, ...visited.calls.map(({ ms, limitMs }) => ms - limitMs));
  const isBad = beyond > 15_000 || peak > 700 || !visited.hasLeft;
  const codes = visited.calls.map(
    ({ tool, ms, answer }) => `${tool.replace('browser_', '')} ${ms}${answer.isError ? ` ${answer.kind}` : ''}`,
  );
  const left = visited.hasLeft ? '' : ' NOT LEFT';
  const error =
    visited.error === undefined ? '' : ` ${visited.error instanceof Error ? visited.error.message : 'failed'}`;
  process.stdout.write(
    `${isBad ? 'BAD' : 'ok '} ${visited.page}: beyond ${beyond} ms, peak ${peak} MB, canary p95 ${p95}${left}${error} | ${codes.join(', ')}\n`,
  );
  return !isBad;
}

/** A session that works while hostile pages are visited. */
class Canary {
  readonly #call: CallTool;
  readonly #sessionId: string;
  #url = '';
  #times: number[] = [];
  #isOver = false;
  #ending: Promise<void> = Promise.resolve();
  failures = 0;

  static async open({ call, createSession }: ServerClient): Promise<Canary> {
    const site = await serveHostile(canaryPage);
    const id = await createSession();
    const canary = new Canary(call, id);
    canary.#url = `${site.url}/`;
    await canary.#open();
    canary.#ending = canary.#work().then(async () => site[Symbol.asyncDispose]());
    return canary;
  }

  private constructor(call: CallTool, sessionId: string) {
    this.#call = call;
    this.#sessionId = sessionId;
  }

  takeTimes(): readonly number[] {
    const times = this.#times;
    this.#times = [];
    return times;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ending;
  }

  async #open(): Promise<void> {
    await this.#call('browser_navigate', { url: this.#url, sessionId: this.#sessionId });
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const started = performance.now();
      const answer = await this.#call('browser_click', { selector: '#go', sessionId: this.#sessionId });
      this.#times.push(performance.now() - started);
      if (answer.isError) {
        this.failures++;
        process.stdout.write(`other session: ${answer.text.slice(0, 200).replaceAll('\n', ' ')}\n`);
        await this.#open();
      }
      await after(canaryPauseMs);
    }
  }
}

/** Samples the resident memory of a process. */
class PeakMemory {
  peak = 0;
  highest = 0;

  constructor(pid: number) {
    const timer = setInterval(() => {
      const now = Math.round(rssMiB(pid) ?? 0);
      this.peak = Math.max(this.peak, now);
      this.highest = Math.max(this.highest, now);
    }, 50);
    timer.unref();
  }

  reset(): void {
    this.peak = 0;
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}

await main();
