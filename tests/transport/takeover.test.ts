import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { launch } from '../page/harness.ts';
import { startListener } from './http-listener.ts';
import type { TestListener } from './http-listener.ts';

/** What a page has sent, by the name of its case. */
const sent = new Map<string, string>();
const ready = new Set<string>();

const place = (top: number, more = ''): string =>
  `style="position:absolute;left:20px;top:${top}px;width:300px;height:40px;box-sizing:border-box;${more}"`;
const options = '<option>Aachen<option>Bonn<option disabled>Celle<option value=tr>Trier';
const send = `const report = (value) => fetch('/sent?' + new URLSearchParams({ name: document.title, value }));`;
const submits = `<button ${place(400)} onclick="report(result())">Send</button>`;

/** The fields are at (170, 40) and below, the button to send at (170, 420). */
const forms: Readonly<Record<string, string>> = {
  text: `<input ${place(20)}>`,
  keys: `<input ${place(20)} value=old>`,
  select: `<select ${place(20)} aria-label=City>${options}</select>`,
  optgroup: `<select ${place(20)}><optgroup label=West>${options}</optgroup><optgroup label=East><option>Halle</optgroup></select>`,
  multiple: `<select multiple ${place(20, 'height:120px')}>${options}</select>`,
  'select by keys': `<input ${place(20)}><select ${place(70)}>${options}</select>`,
  date: `<input type=date ${place(20)} min=2026-01-01>`,
  time: `<input type=time ${place(20)}>`,
  'date and time': `<input type=datetime-local ${place(20)}>`,
  month: `<input type=month ${place(20)}>`,
  week: `<input type=week ${place(20)}>`,
  color: `<input type=color ${place(20)}>`,
  file: `<input type=file ${place(20)}>`,
  'several files': `<input type=file multiple hidden id=f><button ${place(20)} onclick="f.click()">Add</button>`,
  editor: `<div contenteditable ${place(20)}>Draft</div>`,
  canvas: `<canvas width=300 height=200 ${place(20, 'height:200px')}></canvas>`,
  frame: `<iframe ${place(20, 'height:200px;border:5px solid')} srcdoc='<body style="margin:0"><select style="position:absolute;left:15px;top:15px;width:200px;height:30px">${options}</select><input style="position:absolute;left:15px;top:60px;width:200px;height:30px">'></iframe>`,
  'shadow root': `<x-field></x-field>`,
  composition: `<input ${place(20)}>`,
  paste: `<input type=password ${place(20)}>`,
  prompt: `<button ${place(20)} onclick="answer = prompt('Your name?', 'Ada')">Ask</button>`,
  confirm: `<button ${place(20)} onclick="answer = confirm('Sure?') ? 'yes' : 'no'">Ask</button>`,
  alert: `<button ${place(20)} onclick="alert('Hello'); answer = 'seen'">Ask</button>`,
  'double click': `<input ${place(20, 'font:20px monospace')} value="one two three">`,
  'drag selection': `<input ${place(20, 'font:20px monospace;padding:0;border:0')} value="abcdefgh">`,
  'new tab': `<button ${place(20)} onclick="window.open('/form?' + encodeURIComponent('text'))">Open</button>`,
};

const values: Readonly<Record<string, string>> = {
  multiple: `[...document.querySelector('select').selectedOptions].map((o) => o.text).join()`,
  'select by keys': `document.querySelector('select').value`,
  file: `[...document.querySelector('input').files].map((f) => f.name + ' ' + f.size).join()`,
  'several files': `[...document.querySelector('input').files].map((f) => f.name).join()`,
  editor: `document.querySelector('[contenteditable]').textContent`,
  canvas: 'String(strokes)',
  frame: `[...document.querySelector('iframe').contentDocument.querySelectorAll('select, input')].map((e) => e.value).join()`,
  'shadow root': `document.querySelector('x-field').shadowRoot.querySelector('select').value`,
  prompt: 'answer',
  confirm: 'answer',
  alert: 'answer',
};

const scripts: Readonly<Record<string, string>> = {
  canvas: `let strokes = '', isDown = false; const c = document.querySelector('canvas');
    c.onmousedown = (e) => { isDown = true; strokes += 'down ' }; c.onmousemove = (e) => { if (isDown) strokes += e.buttons };
    c.onmouseup = () => { isDown = false; strokes += ' up' };`,
  'shadow root': `customElements.define('x-field', class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: 'open' }).innerHTML = \`<select ${place(20)}>${options}</select>\` } })`,
};

function pageOf(name: string): string {
  const value = values[name] ?? `document.querySelector('input, select').value`;
  return `<!doctype html><title>${name}</title><body>${forms[name] ?? ''}${submits}<script>let answer = '';
    ${send} const result = () => ${value}; ${scripts[name] ?? ''}
    addEventListener('load', () => fetch('/ready?' + encodeURIComponent(document.title)))</script>`;
}

const site = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://site');
  if (url.pathname === '/sent') sent.set(url.searchParams.get('name') ?? '', url.searchParams.get('value') ?? '');
  if (url.pathname === '/ready') ready.add(decodeURIComponent(url.search.slice(1)));
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(url.pathname === '/form' ? pageOf(decodeURIComponent(url.search.slice(1))) : '');
});

interface Hand {
  readonly page: Page;
  readonly panel: Locator;
  readonly click: (x: number, y: number, options?: Parameters<Page['mouse']['click']>[2]) => Promise<void>;
  /** A place of the live page on the screen of the person. */
  readonly on: (x: number, y: number) => Promise<readonly [number, number]>;
}

const field = [170, 40] as const;
const choose = async ({ panel }: Hand): Promise<void> => panel.getByRole('button', { name: 'Choose' }).click();
const fill = async (hand: Hand, value: string): Promise<void> => {
  await hand.click(...field);
  await hand.panel.getByLabel('Value').fill(value);
  await choose(hand);
};
const pick = async (hand: Hand, names: readonly string[], at: readonly [number, number] = field): Promise<void> => {
  await hand.click(...at);
  await hand.panel.getByLabel('Options').selectOption(names.map((label) => ({ label })));
  await choose(hand);
};
const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('hello') });

/** What the person does, and what the page sends then. */
const cases: readonly (readonly [name: string, act: (hand: Hand) => Promise<void>, expected: string])[] = [
  [
    'text',
    async ({ click, page }) => {
      await click(...field);
      await page.keyboard.type('Zoë, 12 €!');
    },
    'Zoë, 12 €!',
  ],
  [
    'keys',
    async ({ click, page }) => {
      await click(...field);
      for (const key of ['End', 'Backspace', 'Shift+Home', 'Delete', 'N', 'ArrowLeft', 'o'])
        await page.keyboard.press(key);
    },
    'oN',
  ],
  ['select', async (hand) => pick(hand, ['Trier']), 'tr'],
  [
    'optgroup',
    async (hand) => {
      await hand.click(...field);
      await hand.panel.getByLabel('Options').waitFor();
      expect(await hand.panel.locator('optgroup').evaluateAll((all) => all.map((one) => Object(one).label))).toEqual([
        'West',
        'East',
      ]);
      expect(await hand.panel.getByRole('option', { name: 'Celle' }).isDisabled()).toBe(true);
      await hand.panel.getByLabel('Options').selectOption({ label: 'Halle' });
      await choose(hand);
    },
    'Halle',
  ],
  ['multiple', async (hand) => pick(hand, ['Aachen', 'Trier']), 'Aachen,Trier'],
  [
    'select by keys',
    async (hand) => {
      await hand.click(...field);
      for (const key of ['Tab', ' ']) await hand.page.keyboard.press(key);
      await hand.panel.getByLabel('Options').press('ArrowDown');
      await hand.page.keyboard.press('Enter');
    },
    'Bonn',
  ],
  ['date', async (hand) => fill(hand, '2026-11-18'), '2026-11-18'],
  ['time', async (hand) => fill(hand, '13:45'), '13:45'],
  ['date and time', async (hand) => fill(hand, '2026-11-18T13:45'), '2026-11-18T13:45'],
  ['month', async (hand) => fill(hand, '2026-11'), '2026-11'],
  ['week', async (hand) => fill(hand, '2026-W47'), '2026-W47'],
  ['color', async (hand) => fill(hand, '#12ab34'), '#12ab34'],
  [
    'file',
    async ({ click, panel }) => {
      await click(...field);
      await panel.getByLabel('File').setInputFiles(file('<b>note.txt'));
    },
    '<b>note.txt 5',
  ],
  [
    'several files',
    async ({ click, panel }) => {
      await click(...field);
      await panel.getByLabel('File').setInputFiles([file('a.txt'), file('b.txt')]);
    },
    'a.txt,b.txt',
  ],
  [
    'editor',
    async ({ click, page }) => {
      await click(...field);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Final');
    },
    'Final',
  ],
  [
    'canvas',
    async ({ page, on }) => {
      await page.mouse.move(...(await on(60, 60)));
      await page.mouse.down();
      await page.mouse.move(...(await on(200, 150)), { steps: 3 });
      await page.mouse.up();
    },
    expect.stringMatching(/^down 1+ up$/),
  ],
  [
    'frame',
    async (hand) => {
      await pick(hand, ['Bonn'], [100, 55]);
      await hand.click(100, 100);
      await hand.page.keyboard.type('inside');
    },
    'Bonn,inside',
  ],
  ['shadow root', async (hand) => pick(hand, ['Trier']), 'tr'],
  [
    'composition',
    async ({ click, page }) => {
      await click(...field);
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
      await cdp.send('Input.insertText', { text: '日本' });
      await cdp.detach();
    },
    '日本',
  ],
  [
    'paste',
    async ({ click, page }) => {
      await page.evaluate(async () => navigator.clipboard.writeText('correct horse'));
      await click(...field);
      await page.keyboard.press('Control+v');
    },
    'correct horse',
  ],
  [
    'prompt',
    async ({ click, panel }) => {
      await click(...field);
      await panel.getByText('Your name?').waitFor();
      await panel.getByLabel('Answer').fill('Grace');
      await panel.getByRole('button', { name: 'OK' }).click();
    },
    'Grace',
  ],
  [
    'confirm',
    async ({ click, panel }) => {
      await click(...field);
      await panel.getByRole('button', { name: 'Cancel' }).click();
    },
    'no',
  ],
  [
    'alert',
    async ({ click, panel }) => {
      await click(...field);
      await panel.getByText('Hello').waitFor();
      await panel.getByRole('button', { name: 'OK' }).click();
    },
    'seen',
  ],
  [
    'double click',
    async ({ click, page }) => {
      await click(90, 40, { clickCount: 2 });
      await page.keyboard.type('2');
    },
    'one 2 three',
  ],
  [
    'drag selection',
    async ({ page, on }) => {
      await page.mouse.move(...(await on(21, 40)));
      await page.mouse.down();
      await page.mouse.move(...(await on(68, 40)), { steps: 4 });
      await page.mouse.up();
      await page.keyboard.type('-');
    },
    '-efgh',
  ],
];

let browser: Browser | undefined;
let server: TestListener | undefined;

beforeAll(async () => {
  browser = await launch();
  server = await startListener();
  site.listen(0, '127.0.0.1');
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  site.closeAllConnections();
  site.close();
});

// A server on a port has an address object.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const origin = (): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

async function takeOver(): Promise<Hand> {
  if (server === undefined || browser === undefined) throw new Error('not started');
  await using client = await server.client();
  await client.call('browser_navigate', { url: origin() });
  const context = await browser.newContext({ viewport: { width: 1600, height: 1200 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url.origin });
  const page = await context.newPage();
  const ticket = server.dashboard.access.ticket({ driver: undefined, scope: 'admin' });
  await page.goto(`${server.url.origin}/dashboard#ticket=${ticket}`);
  await page.getByRole('button', { name: 'Live view' }).click();
  await page.getByRole('button', { name: 'Take control' }).click();
  const surface = page.getByLabel('The page. Mouse and keyboard go to it');
  await surface.waitFor();
  await page.locator('.live canvas[data-width]').waitFor();
  const on: Hand['on'] = async (x, y) => {
    const box = await surface.boundingBox();
    const scale = (box?.width ?? 0) / 1280;
    return [(box?.x ?? 0) + x * scale, (box?.y ?? 0) + y * scale];
  };
  const click: Hand['click'] = async (x, y, how) => page.mouse.click(...(await on(x, y)), how);
  return { page, panel: page.locator('.popup'), on, click };
}

async function visit({ page }: Hand, name: string): Promise<void> {
  ready.delete(name);
  await page.getByLabel('Address').fill(`${origin()}/form?${encodeURIComponent(name)}`);
  await page.keyboard.press('Enter');
  await expect.poll(() => ready.has(name), { timeout: 10_000 }).toBe(true);
}

test('a person completes every kind of form through the dashboard, then the agent goes on', async () => {
  const hand = await takeOver();
  const results: [string, string | undefined][] = [];
  for (const [name, act] of cases) {
    await visit(hand, name);
    await act(hand);
    await hand.panel.waitFor({ state: 'detached' });
    await hand.click(170, 420);
    await expect.poll(() => sent.has(name), { timeout: 10_000, message: name }).toBe(true);
    results.push([name, sent.get(name)]);
  }
  expect(results).toEqual(cases.map(([name, , expected]) => [name, expected]));
  // A tab that the page opens is the one in front.
  sent.delete('text');
  await visit(hand, 'new tab');
  ready.delete('text');
  await hand.click(...field);
  await expect.poll(() => ready.has('text'), { timeout: 10_000 }).toBe(true);
  await hand.click(...field);
  await hand.page.keyboard.type('second');
  await hand.click(170, 420);
  await expect.poll(() => sent.get('text'), { timeout: 10_000 }).toBe('second');
  await hand.page.getByRole('button', { name: /^t1 / }).click();
  // F6 leaves the page: its keys are not for the dashboard.
  await hand.page.getByLabel('The page. Mouse and keyboard go to it').focus();
  await hand.page.keyboard.press('Escape');
  await hand.page.keyboard.press('F6');
  expect(await hand.page.evaluate(() => document.activeElement?.id)).toBe('give-back');
  await hand.page.getByLabel('Note to the agent').fill('all done');
  await hand.page.keyboard.press('Enter');
  await hand.page.getByRole('button', { name: 'Take control' }).waitFor();
  await using client = await (server ?? (await startListener())).client();
  const { text } = await client.call('browser_snapshot', {});
  expect(text).toContain('and wrote: "all done"');
  expect(text).toContain('button "Open"');
  expect(text).not.toContain('correct horse');
}, 300_000);
