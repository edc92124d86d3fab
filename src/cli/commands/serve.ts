import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { loadApp } from '../../app.ts';
import type { App } from '../../app.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/schema.ts';
import type { Logger } from '../../log.ts';
import { StdioTransport } from '../../transport/stdio.ts';
import { guardStdout } from '../../transport/stdout-guard.ts';
import { superviseLifetime } from '../lifetime.ts';
import { loggerFor } from '../logger.ts';
import { OwnHeap } from '../own-heap.ts';

const parentPollMs = 1000;
/** Calls in flight may take 20 seconds; the rest is for closing browsers. */
const networkDeadlineMs = 29_000;

/** Serves MCP until the client, its parent or a signal ends it: on stdin and stdout, or on a port. */
export async function serve({ config, warnings }: LoadedConfig): Promise<number> {
  const isNetwork = config.server.port !== undefined && !config.stdio;
  const write = isNetwork ? undefined : guardStdout(process.stdout, process.stderr);
  const log = loggerFor(config.logging);
  const app = await loadApp({ config, log, heap: new OwnHeap() });
  for (const warning of [...warnings, ...app.warnings]) log.warn(warning);
  if (write === undefined) await servePort(app, config, log);
  else await serveStreams(app, log, write);
  if (config.launch === 'startup' || config.pool.minBrowsers > 0) app.warmUp();
  if (!isNetwork && process.stdin.isTTY) await greet(app);
  return 0;
}

async function serveStreams(app: App, log: Logger, write: (chunk: string) => void): Promise<void> {
  superviseLifetime({
    dispose: async () => app[Symbol.asyncDispose](),
    endSync: () => app.endSync(),
    exit: (code) => process.exit(code),
    log,
    events: process,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    parentPollMs,
  });
  await app.serve(new StdioTransport({ input: process.stdin, write }), 'stdio');
  process.stderr.write('Playwright MCP Server running on stdio\n');
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
  superviseLifetime({
    dispose: async () => {
      await network[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
    endSync: () => app.endSync(),
    exit: (code) => process.exit(code),
    log,
    events: process,
    stdout: process.stdout,
    stderr: process.stderr,
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
