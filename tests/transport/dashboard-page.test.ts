import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch } from '../page/harness.ts';
import { startListener } from './http-listener.ts';
import type { HttpClient, TestListener } from './http-listener.ts';
import { ensureBuilt } from '../built.ts';
import { eventually } from './processes.ts';
import { ServerProcess } from './server-process.ts';

let browser: Browser | undefined;

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
});

/** The page of a person who has opened the link of the server, and what the browser complained about. */
async function openLink(server: TestListener): Promise<{ readonly page: Page; readonly errors: string[] }> {
  const errors: string[] = [];
  const page = await (browser ?? (await launch())).newPage();
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  const ticket = server.dashboard.access.ticket({ driver: undefined, scope: 'admin' });
  await page.goto(`${server.url.origin}/dashboard#ticket=${ticket}`);
  return { page, errors };
}

async function visit(client: HttpClient, html: string): Promise<void> {
  await client.call('browser_navigate', { url: `data:text/html,${encodeURIComponent(html)}` });
}

describe('the page of the dashboard', () => {
  test('the link opens it without leaving the ticket in the address, and a tile shows the live page', async () => {
    await using server = await startListener();
    await using client = await server.client();
    await visit(client, '<title>Shop</title><body style="background:rgb(255,0,0)">');
    const { page, errors } = await openLink(server);
    const tile = page.getByRole('button', { name: 'Live view of Shop' });
    await tile.waitFor();
    expect(page.url()).toBe(`${server.url.origin}/dashboard`);
    const colour = async (): Promise<string> =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas');
        const data = canvas?.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [];
        return [...data].map((value) => Math.round(value / 32)).join();
      });
    await expect.poll(colour, { timeout: 15_000 }).toBe('8,0,0,8');
    await client.call('browser_evaluate', { function: '() => document.body.style.background = "rgb(0,0,255)"' });
    await expect.poll(colour, { timeout: 15_000 }).toBe('0,0,8,8');
    // A reload needs no other link.
    await page.reload();
    await tile.waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a session shows its calls as they happen, and can be used with the keyboard', async () => {
    await using server = await startListener();
    await using client = await server.client();
    await visit(client, '<title>Shop</title><script>console.warn("low stock")</script>');
    const { page, errors } = await openLink(server);
    const tile = page.getByRole('button', { name: 'Live view of Shop' });
    await tile.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'default' }).waitFor();
    await page.getByText('browser_navigate').waitFor();
    await client.call('browser_click', { ref: 'e99' });
    await page.getByText('REF_NOT_FOUND', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Calls' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('low stock').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^GET/).or(page.getByText('The page has made no requests.')).first().waitFor();
    await page.keyboard.press('Escape');
    await tile.waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });

  test('titles, URLs, console lines and arguments are shown as text', async () => {
    await using server = await startListener();
    await using client = await server.client();
    const attack = '<img src=x onerror="document.title=1;parent.attacked=1">';
    const script = `document.title = ${JSON.stringify(attack)}; console.log(${JSON.stringify(attack)})`;
    await visit(client, `<script>${script.replaceAll('</', '<\\/')}</script>`);
    await client.call('browser_find', { text: attack });
    const { page, errors } = await openLink(server);
    await page.getByRole('button', { name: 'Live view' }).click();
    await page.getByText('browser_find').click();
    await page.getByRole('tab', { name: 'Console' }).click();
    await page.getByRole('tabpanel').getByText(attack).waitFor();
    const seen = await page.evaluate(() => [document.images.length, document.title, 'attacked' in window]);
    expect(seen).toEqual([0, 'pagehelm', false]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a person stops a call and closes a session', async () => {
    await using server = await startListener();
    await using client = await server.client();
    await visit(client, '<title>Shop</title>');
    const { page } = await openLink(server);
    await page.getByRole('button', { name: 'Live view of Shop' }).click();
    const waiting = client.call('browser_wait_for', { text: 'never there', timeout: 50_000 });
    await page.getByRole('button', { name: 'Stop this call' }).click();
    expect((await waiting).kind).toBe('STOPPED');
    await page.getByRole('button', { name: 'Close session' }).click();
    await page.getByRole('button', { name: 'Close it and its tabs' }).click();
    await page.getByText('No sessions yet').waitFor();
    await page.close();
  });

  test('without a link, a key opens it, and a wrong key is refused', async () => {
    await using server = await startListener();
    const page = await (browser ?? (await launch())).newPage();
    await page.goto(`${server.url.origin}/dashboard`);
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.getByText('The API key is not valid.').waitFor();
    await page.getByLabel('API key').fill('test-key');
    await page.keyboard.press('Enter');
    await page.getByText('No sessions yet').waitFor();
    await page.close();
  });

  test('a frame of another page stays empty', async () => {
    await using server = await startListener();
    const page = await (browser ?? (await launch())).newPage();
    await page.setContent(`<iframe src="${server.url.origin}/dashboard"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    await page.close();
  });
});

test('--dashboard serves it beside stdio, on a loopback port, and it ends with the server', async () => {
  await ensureBuilt();
  await using server = new ServerProcess({ args: ['--headless', '--isolated', '--dashboard'] });
  await server.initialize();
  await eventually('the link', () => server.stderr.includes('#ticket='), 20_000);
  const link = /http:\S+#ticket=\S+/.exec(server.stderr)?.[0] ?? '';
  const page = await (browser ?? (await launch())).newPage();
  await page.goto(link);
  await page.getByText('No sessions yet').waitFor();
  expect((await fetch(new URL('/mcp', link), { method: 'POST' })).status).toBe(401);
  await server.call('browser_navigate', { url: 'data:text/html,<title>Shop' });
  await page.getByRole('button', { name: 'Live view of Shop' }).waitFor();
  await page.close();
  server.child.stdin?.end();
  expect(await server.exit(15_000)).toBe(0);
}, 120_000);
