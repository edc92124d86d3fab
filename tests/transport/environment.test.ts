import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../built.ts';
import { readQuietly } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

/** The environments of all processes that were started for a server. */
function environmentsBelow(server: number): readonly string[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = /^PPid:\s*(\d+)$/m.exec(readQuietly(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === server || isBelow(parents.get(pid)));
  return [...parents.keys()]
    .filter((pid) => pid !== server && isBelow(pid))
    .map((pid) => readQuietly(`/proc/${pid}/environ`));
}

test.runIf(process.platform === 'linux')(
  'the browser does not inherit keys and tokens from the environment of the server',
  async () => {
    using folder = temporaryFolder();
    const config = join(folder.path, 'config.json');
    writeFileSync(config, JSON.stringify({ browser: { launchOptions: { env: { HELM_WANTED: 'given' } } } }));
    await using server = new ServerProcess({
      args: ['--headless', `--config=${config}`],
      env: { HELM_TEST_TOKEN: 'top-secret', PAGEHELM_API_KEY: 'also-secret' },
    });
    await server.initialize();
    const answer = await server.call('browser_navigate', { url: 'data:text/html,<title>Here</title>' });
    expect(answer.isError).toBe(false);
    const environments = environmentsBelow(server.pid).filter((text) => text.includes('PAGEHELM_RUN='));
    expect(environments.length).toBeGreaterThan(0);
    for (const text of environments) {
      expect(text).toContain('HELM_WANTED=given');
      expect(text).not.toMatch(/top-secret|also-secret/);
    }
  },
);
