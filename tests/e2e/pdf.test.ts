import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, open, testWith } from '../fixtures.ts';

const test = testWith(['--caps=pdf']);
const html = `<title>Report</title><h1>Report</h1>${'<p>A paragraph of the report.</p>'.repeat(200)}`;

test('[S0-10, S0-40] the capability pdf lists its tool, and not those of vision', async ({ driver }) => {
  const names = (await driver.client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('browser_pdf_save');
  expect(names).not.toContain('browser_mouse_click_xy');
});

test('[S2-96, S2-97] the page is saved as a PDF of several pages, and the answer contains its path', async ({
  site,
  call,
  server,
}) => {
  await open(site, call, html);
  const answer = await call('browser_pdf_save', {});
  const path = /^Saved the page as (\.playwright-mcp\/page-[\dTZ-]+\.pdf)$/.exec(answer.section('Result') ?? '')?.[1];
  const data = await readFile(join(server.folder, path ?? ''));
  expect(data.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  expect(data.subarray(-10).toString('latin1')).toContain('%%EOF');
  expect(data.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2);
});

test('[S2-96, R-34] the file gets the requested name in the output directory', async ({
  site,
  call,
  callRaw,
  server,
}) => {
  await open(site, call, html);
  expect((await call('browser_pdf_save', { filename: 'report.pdf' })).section('Result')).toBe(
    'Saved the page as .playwright-mcp/report.pdf',
  );
  expect((await readFile(join(server.folder, '.playwright-mcp/report.pdf'))).length).toBeGreaterThan(5000);
  expect((await callRaw('browser_pdf_save', { path: 'by-path.pdf' })).section('Result')).toBe(
    'Saved the page as .playwright-mcp/by-path.pdf',
  );
  await writeFile(join(server.folder, 'taken.pdf'), 'mine');
  for (const filename of ['/etc/report.pdf', '../../report.pdf', join(server.folder, 'taken.pdf')]) {
    expect((await call('browser_pdf_save', { filename })).kind, filename).toBe('PATH_DENIED');
  }
});
