import type { ServerState, SessionState } from '../../dashboard/protocol.ts';
import { ConfigError } from '../../errors.ts';
import { errorCode } from '../../util/error-code.ts';
import { cut, oneLine } from '../../util/text.ts';

export interface TopOptions {
  readonly url: string;
  readonly key: string | undefined;
  /** Prints once instead of every second. */
  readonly once: boolean;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

const refreshMs = 1000;
const home = '\u001B[H\u001B[2J';
const usage = 'Usage: pagehelm top [--url http://localhost:8931] [--key <key>] [--once]';

/** Reads the arguments of `top`; the key may be in the environment. */
export function topArguments(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Pick<TopOptions, 'url' | 'key' | 'once'> {
  let url = 'http://localhost:8931';
  let key = env['PAGEHELM_API_KEY'];
  let once = false;
  for (let index = 0; index < words.length; index++) {
    const [name = '', inline] = (words[index] ?? '').split(/=(.*)/s);
    const value = (): string => inline ?? words[++index] ?? '';
    if (name === '--url') url = value();
    else if (name === '--key') key = value();
    else if (name === '--once') once = true;
    else throw new ConfigError([`Unknown argument "${name}". ${usage}`]);
  }
  if (!URL.canParse(url)) throw new ConfigError([`"${url}" is not a URL. ${usage}`]);
  return { url: new URL(url).origin, key, once };
}

/** Shows the sessions, calls and memory of a running server, until it is interrupted. */
export async function runTop(options: TopOptions): Promise<number> {
  const { once, write, signal } = options;
  let before: Counts | undefined;
  for (;;) {
    // A server of this version sends this type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const state = JSON.parse(await get(options, '/api/v1/state')) as ServerState;
    const counts = countsIn(await get(options, '/metrics'));
    write(`${once ? '' : home}${screen(options.url, state, counts, before).join('\n')}\n`);
    before = counts;
    if (once) return 0;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, refreshMs);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
    if (signal.aborted) return 0;
  }
}

async function get({ url, key }: TopOptions, path: string): Promise<string> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}${path}`, { headers }).catch((error: unknown) => {
    const code = errorCode(Object(error).cause) ?? 'no answer';
    throw new ConfigError([`${url} cannot be reached (${code}). ${usage}`]);
  });
  if (response.ok) return response.text();
  await response.body?.cancel();
  const hint = response.status < 404 ? ' Give the key of the server with --key or PAGEHELM_API_KEY.' : '';
  throw new ConfigError([`${url}${path} answered ${response.status}.${hint}`]);
}

interface Counts {
  readonly calls: number;
  readonly errors: number;
  readonly waiting: number;
  readonly cpuSeconds: number;
  readonly at: number;
}

/** Sums of the metrics that the first lines show. */
function countsIn(metrics: string): Counts {
  const sum = (name: string, isCounted: (labels: string) => boolean = () => true): number =>
    [...metrics.matchAll(new RegExp(String.raw`^${name}(\{[^}]*\})? (\S+)$`, 'gm'))]
      .filter(([, labels = '']) => isCounted(labels))
      .reduce((total, [, , value]) => total + Number(value), 0);
  return {
    calls: sum('pagehelm_calls_total'),
    errors: sum('pagehelm_calls_total', (labels) => !labels.includes('code="ok"')),
    waiting: sum('pagehelm_queue_depth'),
    cpuSeconds: sum('pagehelm_cpu_seconds'),
    at: performance.now(),
  };
}

function screen(url: string, state: ServerState, now: Counts, before: Counts | undefined): readonly string[] {
  const seconds = before === undefined ? 0 : (now.at - before.at) / 1000;
  const rate = before === undefined ? '' : `, ${((now.calls - before.calls) / seconds).toFixed(1)}/s`;
  const cpu =
    before === undefined ? '' : `, CPU ${Math.round(((now.cpuSeconds - before.cpuSeconds) / seconds) * 100)} %`;
  const browsers = state.browserRssBytes === undefined ? '' : `, browsers ${megabytes(state.browserRssBytes)}`;
  const sessions = [...state.sessions].sort((a, b) => b.calls - a.calls || a.idleMs - b.idleMs);
  return [
    `pagehelm ${state.version} at ${url}, up ${duration(state.upSeconds * 1000)}`,
    `Sessions ${sessions.length}   Calls ${now.calls} (${now.errors} failed${rate}), ${now.waiting} waiting`,
    `Memory   server ${megabytes(state.rssBytes)}${browsers}${cpu}`,
    '',
    columns('SESSION', 'DRIVER', 'CALLS', 'TOKENS', 'IDLE', 'DOING'),
    ...sessions.map(lineOf),
  ];
}

function lineOf({ name, driver, calls, tokens, idleMs, running, tabs, isOpen }: SessionState): string {
  const url = tabs.find(({ isCurrent }) => isCurrent)?.url ?? (isOpen ? 'no page' : 'no browser');
  const doing = running === undefined ? url : `${running.tool} on ${url}`;
  return columns(name, driver, String(calls), String(tokens), duration(idleMs), doing);
}

/** Texts of pages must not move the cursor. */
function columns(...cells: readonly [string, string, string, string, string, string]): string {
  const widths = [16, 16, 6, 8, 8];
  return cells
    .map((cell, index) => {
      const width = widths[index];
      const text = oneLine(cell);
      return width === undefined ? cut(text, 100) : cut(text, width).padEnd(width);
    })
    .join(' ');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}
