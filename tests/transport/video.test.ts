import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ensureBuilt } from '../built.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

const page = 'data:text/html,<title>Page</title><h1>Hello</h1>';
/** Writes what it reads to the file that its last argument names, as FFmpeg does with the encoded frames. */
const ffmpeg = '#!/bin/sh\nfor last; do :; done\ncat > "$last"\n';
const browsers = z.object({ browsers: z.array(z.object({ name: z.string(), revision: z.string() })) });

/** A folder in which Playwright finds its build of FFmpeg. */
function installFfmpeg(folder: string): void {
  const list = createRequire(import.meta.url)
    .resolve('playwright-core/package.json')
    .replace(/package\.json$/, '');
  const known = browsers.parse(JSON.parse(readFileSync(join(list, 'browsers.json'), 'utf8'))).browsers;
  const { revision } = known.find(({ name }) => name === 'ffmpeg') ?? { revision: '' };
  const own = join(folder, `ffmpeg-${revision}`);
  mkdirSync(own);
  writeFileSync(join(own, 'ffmpeg-linux'), ffmpeg);
  chmodSync(join(own, 'ffmpeg-linux'), 0o755);
  writeFileSync(join(own, 'INSTALLATION_COMPLETE'), '');
}

test.runIf(process.platform === 'linux')(
  'a video is recorded once at a time, and saved for its owner alone',
  async () => {
    using folder = temporaryFolder();
    installFfmpeg(folder.path);
    await using server = new ServerProcess({
      args: ['--headless', '--caps=devtools'],
      cwd: folder.path,
      env: { PLAYWRIGHT_BROWSERS_PATH: folder.path },
    });
    await server.initialize();
    await server.call('browser_navigate', { url: page });
    expect((await server.call('browser_start_video', {})).text).toContain('Video recording started.');
    expect((await server.call('browser_start_video', {})).text).toContain('[VIDEO_IN_PROGRESS]');
    await server.call('browser_navigate', { url: `${page}<p>Again` });
    const saved = /Saved the video as (\S+\.webm)/.exec((await server.call('browser_stop_video', {})).text)?.[1] ?? '';
    const { size, mode } = statSync(join(folder.path, saved));
    expect(size).toBeGreaterThan(0);
    expect((mode & 0o777).toString(8)).toBe('600');
    expect((await server.call('browser_stop_video', {})).text).toContain('[NO_VIDEO]');
  },
);

test.runIf(process.platform === 'linux')(
  'a video with a name that the caller chose outlives its resource, one with a generated name does not',
  async () => {
    using folder = temporaryFolder();
    installFfmpeg(folder.path);
    await using server = new ServerProcess({
      args: ['--headless', '--caps=devtools', '--artifact-max-count=1'],
      cwd: folder.path,
      env: { PLAYWRIGHT_BROWSERS_PATH: folder.path },
    });
    await server.initialize();
    const record = async (args: Readonly<Record<string, unknown>>): Promise<string> => {
      await server.call('browser_navigate', { url: page });
      await server.call('browser_start_video', args);
      await server.call('browser_navigate', { url: `${page}<p>Again` });
      const { text } = await server.call('browser_stop_video', {});
      return join(folder.path, /Saved the video as (\S+\.webm)/.exec(text)?.[1] ?? '');
    };
    const [named, generated] = [await record({ filename: 'tour.webm' }), await record({})];
    await server.call('browser_take_screenshot', {});
    expect(existsSync(named)).toBe(true);
    expect(existsSync(generated)).toBe(false);
  },
);
