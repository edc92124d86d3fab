import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { App } from '../../app.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/schema.ts';
import type { Logger } from '../../log.ts';
import { StdioTransport } from '../../transport/stdio.ts';
import { guardStdout } from '../../transport/stdout-guard.ts';
import { openApp, superviseProcess } from '../own-process.ts';

const parentPollMs = 1000;
/** Calls in flight may take 20 seconds; the rest is for closing browsers. */
const networkDeadlineMs = 29_000;

/** Serves MCP until the client, its parent or a signal ends it: on stdin and stdout, or on a port. */
export async function serve(loaded: LoadedConfig): Promise<number> {
  const { config } = loaded;
  if (config.cluster.url !== undefined) return (await import('./serve-cluster.ts')).serveCluster(loaded);
  const isNetwork = config.server.port !== undefined && !config.stdio;
  const write = isNetwork ? undefined : guardStdout(process.stdout, process.stderr);
  const { app, log } = await openApp(loaded);
  if (write === undefined) await servePort(app, config, log);
  else await serveStreams(app, config, log, write);
  if (config.launch === 'startup' || config.pool.minBrowsers > 0) app.warmUp();
  if (!isNetwork && process.stdin.isTTY) await greet(app);
  return 0;
}

/** How long calls in progress may take after SIGTERM. */
const drainMs = 20_000;

async function serveStreams(app: App, config: Config, log: Logger, write: (chunk: string) => void): Promise<void> {
  let dashboard: AsyncDisposable | undefined;
  superviseProcess(app, log, {
    drain: async () => {
      await app.drain(drainMs);
      // The last answers are written in this turn.
      await new Promise((resolve) => setImmediate(resolve));
    },
    dispose: async () => {
      await dashboard?.[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
    stdin: process.stdin,
    stdout: process.stdout,
    parentPollMs,
  });
  await app.serve(new StdioTransport({ input: process.stdin, write }), 'stdio');
  process.stderr.write('Playwright MCP Server running on stdio\n');
  if (config.dashboard !== true) return;
  const { serveDashboard } = await import('./serve-network.ts');
  const served = await serveDashboard({ app, config, log });
  dashboard = served;
  process.stderr.write(`Dashboard (the link works once, within ten minutes): ${served.link()}\n`);
}

async function servePort(app: App, config: Config, log: Logger): Promise<void> {
  const { serveNetwork } = await import('./serve-network.ts');
  const text = (line: string): void => void process.stderr.write(line);
  const network = await serveNetwork({ app, config, log, cwd: process.cwd(), write: text }).catch(
    async (error: unknown) => {
      await app[Symbol.asyncDispose]();
      throw error;
    },
  );
  superviseProcess(app, log, {
    dispose: async () => {
      await network[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
    stdout: process.stdout,
    reload: () => network.reload(),
    deadlineMs: networkDeadlineMs,
  });
}

/** Tells a person at a terminal how to use this program. */
async function greet(app: App): Promise<void> {
  const program = realpathSync(process.argv[1] ?? '');
  const isInstalled = program.includes(`${sep}node_modules${sep}`);
  const options = process.argv.slice(2);
  const [command, args] = isInstalled ? ['npx', ['-y', 'pagehelm', ...options]] : ['node', [program, ...options]];
  const browser = await app
    .describeBrowser()
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  const self = isInstalled ? 'npx pagehelm' : `node ${program}`;
  process.stderr.write(`
Browser: ${browser}
Tools:   ${app.tools.length}

A client starts this program by itself. Paste this into its configuration:

${JSON.stringify({ mcpServers: { pagehelm: { command, args } } }, undefined, 2)}

Try a call by hand:

  ${self} call browser_navigate --url https://example.com

Waiting for a client on stdin; end with Ctrl+C.
`);
}
