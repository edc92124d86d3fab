import { text } from 'node:stream/consumers';
import { browsersOf } from '../../app/browsers/browsers.ts';
import { holdBrowser } from '../../app/browsers/held-browser.ts';
import type { HolderSettings } from '../../app/browsers/held-browser.ts';
import { keyRulesOf } from '../../app/key-rules.ts';
import { EventBus } from '../../events/bus.ts';
import { loggerFor } from '../logger.ts';
import { superviseProcess } from '../own-process.ts';

/** Keeps a browser for servers that come and go (`--keep-browsers`). Started by a server, which sends the settings on stdin. */
export async function runHolder(): Promise<number> {
  // Sent by a server of this program, on a pipe that no other process has.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const settings = JSON.parse(await text(process.stdin)) as HolderSettings;
  const { config } = settings;
  const log = await loggerFor(config.logging);
  const clock = {
    now: () => performance.now(),
    after: (ms: number, run: () => void): Disposable => {
      const timer = setTimeout(run, ms);
      return { [Symbol.dispose]: () => clearTimeout(timer) };
    },
  };
  const deps = { log, env: process.env, clock, rules: keyRulesOf(config), events: new EventBus(), isOwnProcess: true };
  const { host } = browsersOf({ ...config, session: { ...config.session, keepBrowsers: false } }, deps);
  let held: Disposable | undefined;
  superviseProcess(host, log, {
    dispose: async () => {
      held?.[Symbol.dispose]();
      await host[Symbol.asyncDispose]();
    },
  });
  // The server reads one line and closes the pipe.
  process.stdout.on('error', () => undefined);
  const end = (reason: string): void => {
    log.info('the browser is no longer kept', { reason });
    process.emit('SIGTERM', 'SIGTERM');
  };
  try {
    const { folder, ...holder } = await holdBrowser(host, settings, { log, end });
    held = holder;
    process.stdout.write(`${folder}\n`);
    return 0;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    end('the browser did not start');
    return 1;
  }
}
