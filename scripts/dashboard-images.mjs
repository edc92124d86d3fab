// @ts-check
// Makes the images of docs/dashboard.md: starts the built server, lets a client work in two sessions and takes screenshots of
// the dashboard in another browser. Usage: node scripts/dashboard-images.mjs [folder]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? join(root, 'docs/images');
const browser = process.env['PAGEHELM_BROWSER'] ?? '/usr/bin/chromium-headless-shell';
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

const styles = `body { font: 18px system-ui; margin: 0; background: #fafafa; color: #222 }
  header { background: #234; color: white; padding: 16px 32px; font-size: 22px }
  main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 24px; padding: 32px }
  article { background: white; border: 1px solid #ddd; border-radius: 8px; padding: 16px }
  .cup { height: 120px; border-radius: 6px; background: linear-gradient(135deg, #c96, #753) }
  button, input { font: inherit; padding: 8px 16px }`;
const cups = ['Espresso cup', 'Latte bowl', 'Travel mug'];
const shop = `<!doctype html><title>Cups and more</title><style>${styles}</style><header>Cups and more</header><main>${cups
  .map(
    (cup, index) =>
      `<article><div class=cup></div><h2>${cup}</h2><p>€ ${12 + index * 4}</p><button>Add to cart</button></article>`,
  )
  .join('')}</main><script>for (const button of document.querySelectorAll('button'))
  button.onclick = () => { button.textContent = 'Added'; console.log('added', button.closest('article').querySelector('h2').textContent) }</script>`;
const form = `<!doctype html><title>New account</title><style>${styles}</style><header>New account</header>
  <form style="padding:32px;display:grid;gap:16px;max-width:400px"><label>Name <input name=name></label>
  <label>Password <input type=password name=password></label>
  <label>Country <select name=country><optgroup label=Europe><option>Austria<option>Germany<option>Norway</optgroup>
  <optgroup label=Asia><option>Japan<option>Korea</optgroup></select></label><button>Create</button></form>`;

const site = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(request.url === '/form' ? form : shop);
});
site.listen(0, '127.0.0.1');
await once(site, 'listening');
const address = site.address();
const pages = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

const args = [
  'dist/bin.js',
  '--port',
  '0',
  '--headless',
  '--isolated',
  '--api-key',
  'images',
  '--executable-path',
  browser,
];
const server = spawn(process.execPath, [...args, ...quiet.map((arg) => `--browser-arg=${arg}`)], { cwd: root });
let printed = '';
server.stderr.setEncoding('utf8').on('data', (text) => (printed += text));
while (!printed.includes('"mcpServers"')) await once(server.stderr, 'data');
const [link = ''] = /http:\S+#ticket=\S+/.exec(printed) ?? [];
const origin = new URL(link).origin;

const person = await chromium.launch({ executablePath: browser, args: quiet });
mkdirSync(folder, { recursive: true });

/** Takes a screenshot once every canvas shows a frame. */
async function take(/** @type {import('playwright-core').Page} */ page, /** @type {string} */ name) {
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('canvas')];
    return all.length > 0 && all.every((canvas) => canvas.dataset['seq'] !== undefined);
  });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

try {
  const client = new Client({ name: 'images', version: '1.0.0' });
  const requestInit = { headers: { authorization: 'Bearer images' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
  const call = async (/** @type {string} */ name, /** @type {Record<string, unknown>} */ input = {}) =>
    client.callTool({ name, arguments: input });

  await call('browser_navigate', { url: pages });
  await call('browser_click', { selector: 'article:nth-of-type(2) button' });
  await call('browser_find', { text: 'Latte' });
  await call('browser_click', { selector: '#missing', timeout: 500 });
  await call('browser_context_create', { name: 'accounts' });
  await call('browser_navigate', { url: `${pages}/form` });
  await call('browser_type', { selector: '[name=name]', text: 'Ada' });
  await call('browser_type', { selector: '[name=password]', text: 'correct horse' });
  const { content } = await call('browser_evaluate', {
    function: `() => { const { x, y, width, height } = document.querySelector('select').getBoundingClientRect(); return [x + width / 2, y + height / 2] }`,
  });
  const [listX = 0, listY = 0] = (/\[([\d.,\s]+)\]/.exec(JSON.stringify(content))?.[1] ?? '').split(',').map(Number);
  const context = await person.newContext({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });
  const page = await context.newPage();
  page.on('console', (message) => console.error('page:', message.text()));
  page.on('pageerror', (error) => console.error('page:', error.message));
  await page.goto(link);
  await page.getByRole('button', { name: 'Cups and more' }).waitFor();
  await take(page, 'dashboard-grid');
  await page.getByRole('button', { name: 'Cups and more' }).click();
  await page.getByText('ELEMENT_NOT_FOUND').first().waitFor();
  await take(page, 'dashboard-session');
  await page.getByRole('tab', { name: 'Console' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, 'dashboard-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('tab', { name: 'Calls' }).click();
  await take(page, 'dashboard-phone');
  await page.setViewportSize({ width: 1280, height: 760 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'All sessions' }).click();
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByRole('button', { name: 'Take control' }).click();
  const surface = page.getByLabel('The page. Mouse and keyboard go to it');
  await surface.waitFor();
  await page.locator('.live canvas[data-width]').waitFor();
  const box = await surface.boundingBox();
  const scale = (box?.width ?? 0) / 1280;
  await page.mouse.click((box?.x ?? 0) + listX * scale, (box?.y ?? 0) + listY * scale);
  await page.locator('.popup').waitFor();
  await take(page, 'dashboard-control');
  await context.close();
  await client.close();
} finally {
  await person.close();
  server.kill('SIGTERM');
  await once(server, 'exit');
  site.closeAllConnections();
  site.close();
}
