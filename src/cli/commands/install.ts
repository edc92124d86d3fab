import type { BrowserType } from '../../browser/find/discover.ts';
import { browserMode } from '../../browser/find/environment.ts';
import { ensureBrowser } from '../../browser/find/install.ts';
import type { Machine } from '../../browser/find/machine.ts';
import { localMachine } from '../../browser/find/machine.ts';
import { ToolError } from '../../errors.ts';

/** Arguments of the commands that inspect this machine. The writers take lines without a line break. */
export interface MachineCommandContext {
  readonly config: {
    readonly browser: {
      readonly type: BrowserType;
      readonly channel?: string | undefined;
      readonly executablePath?: string | undefined;
      readonly headless?: boolean | undefined;
    };
    readonly outputDir?: string | undefined;
    readonly screenshotDir?: string | undefined;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  readonly machine?: Machine;
}

/** Finds or installs a browser. Its path is the only line on stdout, for scripts. */
export async function runInstall(context: MachineCommandContext): Promise<number> {
  const machine = context.machine ?? localMachine(context.env);
  const { type, channel, executablePath, headless } = context.config.browser;
  const mode = browserMode(headless, machine);
  const wanted = { type, channel, executablePath, headless: mode.headless };
  // Installers run in their own process groups, which ^C does not reach.
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  context.signal?.addEventListener('abort', stop, { once: true });
  try {
    const say = (line: string): void => context.stderr(`pagehelm: ${line}`);
    const found = await ensureBrowser({ wanted, say, signal: controller.signal, machine });
    context.stderr(`pagehelm: the browser is ready (${found.kind}, ${found.source})`);
    context.stdout(found.executablePath);
    return 0;
  } catch (error: unknown) {
    if (!(error instanceof ToolError)) throw error;
    context.stderr(`pagehelm: ${error.message} ${error.view.hint}`);
    return 1;
  } finally {
    for (const signal of signals) process.off(signal, stop);
    context.signal?.removeEventListener('abort', stop);
  }
}
