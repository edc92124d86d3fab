import { expect, open, refOf, slowly, test } from '../fixtures.ts';

test('[S2-26] hovering a ref moves the mouse over that element and shows what appears', async ({ site, call }) => {
  site.set(
    '/',
    '<button onmouseenter="tip.hidden = false">Menu</button><div id="tip" hidden role="tooltip">Open me</div>',
  );
  const ref = refOf((await call('browser_navigate', { url: site.url('/') })).text, 'button', 'Menu');
  const answer = await call('browser_hover', { ref });
  expect(answer.isError).toBe(false);
  expect(answer.section('Snapshot')).toContain('Open me');
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.getByRole('button', { name: 'Menu' }).hover();\n```",
  );
});

test('[S2-26] a hover that changes nothing says so', async ({ site, call }) => {
  await open(site, call, '<title>T</title><button>Still</button>');
  expect((await call('browser_hover', { selector: 'button' })).text).toBe(
    "### Result\nNo text or control changed.\n### Ran Playwright code\n```js\nawait page.locator('button').hover();\n```",
  );
});

test('[S2-08] content loaded on hover is waited for', async ({ site, call }) => {
  site.set(
    '/',
    '<button onmouseenter="fetch(\'/tip\').then((r) => r.text()).then((t) => { tip.textContent = t })">Menu</button><p id="tip"></p>',
  );
  site.set('/tip', slowly(300, 'Loaded tip'));
  await call('browser_navigate', { url: site.url('/') });
  expect((await call('browser_hover', { selector: 'button' })).section('Snapshot')).toContain('Loaded tip');
});
