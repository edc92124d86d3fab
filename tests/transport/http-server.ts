import { once } from 'node:events';
import { bin } from '../built.ts';
import { eventually } from './processes.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerOptions } from './server-process.ts';

const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The real server in its own process, on a free port. */
export class HttpServerProcess implements AsyncDisposable {
  readonly process: ServerProcess;
  /** The lines it printed when it was ready. */
  readonly greeting: string;

  private constructor(process: ServerProcess) {
    this.process = process;
    this.greeting = process.stderr;
  }

  static async start(
    args: readonly string[] = [],
    options: Omit<ServerOptions, 'args'> = {},
  ): Promise<HttpServerProcess> {
    const browser = ['--headless', '--isolated', ...quiet.map((arg) => `--browser-arg=${arg}`)];
    const server = new ServerProcess({ program: bin, ...options, args: [...browser, '--port', '0', ...args] });
    await eventually(
      'the greeting',
      () => server.stderr.includes('"mcpServers"') && server.stderr.endsWith('}\n\n'),
      20_000,
    );
    return new HttpServerProcess(server);
  }

  get port(): number {
    return Number(/:\/\/[^\s/]+:(\d+)/.exec(this.greeting)?.[1]);
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}/mcp`);
  }

  get generatedKey(): string {
    return /API key \(generated for this run\): (\S+)/.exec(this.greeting)?.[1] ?? '';
  }

  signal(signal: NodeJS.Signals): void {
    this.process.child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { child } = this.process;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await this.process[Symbol.asyncDispose]();
  }
}
