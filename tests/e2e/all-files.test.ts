import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, open, test as restricted, testWith } from '../fixtures.ts';

const test = testWith(['--allow-unrestricted-file-access']);

async function elsewhere(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'helm-elsewhere-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('--allow-unrestricted-file-access allows files anywhere to be opened, read and written', async ({
  site,
  call,
}) => {
  await elsewhere(async (folder) => {
    const page = join(folder, 'page.html');
    await writeFile(page, '<title>On disk</title><input type="file" aria-label="File">');
    const opened = await call('browser_navigate', { url: pathToFileURL(page).href });
    expect(opened.page).toContain('- Page Title: On disk');
    const tab = await call('browser_tabs', { action: 'new', url: pathToFileURL(page).href });
    expect(tab.page).toContain('- Page Title: On disk');
    const given = await call('browser_file_upload', { paths: [page] });
    expect(given.isError, given.text).toBe(false);
    const shot = join(folder, 'shot.png');
    const taken = await call('browser_take_screenshot', { filename: shot });
    expect(taken.isError, taken.text).toBe(false);
    expect((await readFile(shot)).subarray(1, 4).toString()).toBe('PNG');
  });
  site.set('/', '<p>Still there</p>');
  expect((await call('browser_navigate', { url: site.url('/') })).text).toContain('Still there');
});

restricted('without it a file outside the working directory is neither read nor written', async ({ site, call }) => {
  await open(site, call, '<input type="file">');
  await elsewhere(async (folder) => {
    const file = join(folder, 'a.txt');
    await writeFile(file, 'text');
    const answers = [
      await call('browser_file_upload', { paths: [file] }),
      await call('browser_take_screenshot', { filename: join(folder, 'shot.png') }),
      await call('browser_navigate', { url: pathToFileURL(file).href }),
    ];
    const codes = answers.map(({ text }) => /\[([A-Z_]+)\]/.exec(text)?.[1]);
    expect(codes).toEqual(['PATH_DENIED', 'PATH_DENIED', 'SCHEME_BLOCKED']);
  });
});
