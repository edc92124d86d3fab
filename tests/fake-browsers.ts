import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { playwrightOnlyTail } from '../src/browser/find/known-paths.ts';

export interface FakeBrowsers extends Disposable {
  /** Makes a server find the fakes where it looks for Playwright's builds. */
  readonly env: NodeJS.ProcessEnv;
  /** The arguments with which the fake was started last, one per line; undefined when it was not started. */
  startedWith(type: 'firefox' | 'webkit'): string | undefined;
}

/** Firefox and WebKit as Playwright installs them, which record how they are started and end at once. */
export function fakeBrowsers(): FakeBrowsers {
  const folder = mkdtempSync(join(tmpdir(), 'helm-fake-browsers-'));
  const notes = (type: string): string => join(folder, `${type}.args`);
  for (const type of ['firefox', 'webkit'] as const) {
    const build = join(folder, `${type}-9999`);
    const program = join(build, playwrightOnlyTail(type, process.platform));
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(join(build, 'INSTALLATION_COMPLETE'), '');
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${notes(type)}'\nexit 1\n`);
    chmodSync(program, 0o755);
  }
  return {
    env: { PLAYWRIGHT_BROWSERS_PATH: folder },
    startedWith: (type) => (existsSync(notes(type)) ? readFileSync(notes(type), 'utf8') : undefined),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
