import { expect, test } from 'vitest';
import { fakeMachine } from '../../tests/fake-machine.ts';
import { loadConfig } from '../config/load.ts';
import { createLogger } from '../log.ts';
import { DomainPolicy } from '../policy/domains.ts';
import { LaunchHost } from './launch.ts';
import { PlaywrightLoader } from './playwright.ts';
import { Supervisor } from './process/supervisor.ts';

const elf = '\u007fELF';

/** A host on a machine with these programs. Nothing is started by asking what would be. */
function hostOn(programs: readonly string[]): LaunchHost {
  const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date(0) });
  const { config } = loadConfig({ argv: ['--headless'], env: {}, cwd: '/' });
  return new LaunchHost({
    config: config.browser,
    pool: config.pool,
    after: () => ({ [Symbol.dispose]: () => undefined }),
    domains: new DomainPolicy({ allowedOrigins: [], blockedOrigins: [] }),
    isRestricted: () => false,
    loader: new PlaywrightLoader(async () => undefined),
    supervisor: new Supervisor({ log, tmpdir: '/nowhere', uid: 1000, pid: 1, env: {} }),
    machine: fakeMachine({ files: Object.fromEntries(programs.map((path) => [path, elf])) }),
    log,
  });
}

test.each(['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge'])(
  "[R-32] %s is used and named if Playwright's own build is missing",
  async (path) => {
    expect(await hostOn([path]).describe()).toBe(`${path} (system package), headless: as configured`);
  },
);

test('[R-32] without any browser the error says how to install one', async () => {
  await expect(hostOn([]).describe()).rejects.toMatchObject({
    code: 'BROWSER_NOT_FOUND',
    message: expect.stringMatching(/^No chromium browser is installed on this machine\. Run: .+/),
    view: { hint: expect.stringContaining('browser_install') },
  });
});
