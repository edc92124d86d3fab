import { expect, eras, refOf, startApp, test as plain, testWith } from '../fixtures.ts';
import type { Driver, Site } from '../fixtures.ts';

const policy = [
  'input@bank.localhost=ask',
  'input@*.ads.localhost=deny',
  'navigate@closed.localhost=deny',
  'code=deny',
];
const test = testWith([`--action-policy=${policy.join(';')}`]);

/** The site under another name. */
function at(site: Site, host: string, path = '/'): string {
  return site.url(path).replace('127.0.0.1', host);
}

const page = '<title>Start</title><button onclick="document.title = \'Clicked\'">Go</button>';

interface Asked extends Driver {
  readonly questions: readonly string[];
}

/** A client whose user answers every question in the same way. */
async function userWho(
  action: 'accept' | 'decline' | 'cancel',
  server: Awaited<ReturnType<typeof startApp>>,
  options: object = {},
): Promise<Asked> {
  const driver = await server.drive({ ...options, capabilities: { elicitation: { form: {} } } });
  const questions: string[] = [];
  driver.client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    return action === 'accept' ? { action, content: {} } : { action };
  });
  return { ...driver, questions, [Symbol.asyncDispose]: async () => driver[Symbol.asyncDispose]() };
}

test('a denied effect is refused with its rule, and nothing happens', async ({ site, call }) => {
  site.set('/', page);
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_evaluate', { function: '() => { document.title = "Changed" }' });
  expect(answer.section('Error')).toContain(
    `[ACTION_DENIED] browser_evaluate was not run on ${new URL(site.url('/')).origin}: the action policy denies it (code=deny).`,
  );
  expect((await call('browser_snapshot', {})).text).toContain('Start');
});

test('a page to which navigation is denied is not opened under any spelling', async ({ site, call }) => {
  const { port } = new URL(site.url('/'));
  for (const url of [at(site, 'closed.localhost'), `closed.localhost:${port}`, `http://CLOSED.localhost.:${port}/`]) {
    expect((await call('browser_navigate', { url })).kind, url).toBe('ACTION_DENIED');
    expect((await call('browser_tabs', { action: 'new', url })).kind, url).toBe('ACTION_DENIED');
  }
  expect(site.requests).toEqual([]);
});

test('other pages and effects are not affected', async ({ site, call }) => {
  site.set('/', page);
  await call('browser_navigate', { url: at(site, 'shop.localhost') });
  expect((await call('browser_click', { selector: 'button' })).text).toContain('Clicked');
});

test('a client without elicitation gets a refusal', async ({ site, call }) => {
  site.set('/', page);
  await call('browser_navigate', { url: at(site, 'bank.localhost') });
  const answer = await call('browser_click', { selector: 'button' });
  expect([answer.kind, answer.text]).toEqual([
    'CONFIRMATION_REQUIRED',
    expect.stringContaining('and this client cannot ask for it'),
  ]);
  expect((await call('browser_snapshot', {})).text).toContain('Start');
});

test.for(eras)('a user of $version confirms a call', async ({ options }, { site, server }) => {
  site.set('/', page);
  await using user = await userWho('accept', server, options);
  const url = at(site, 'bank.localhost');
  await user.call('browser_navigate', { url });
  const answer = await user.call('browser_click', { selector: 'button' });
  expect(answer.text).toContain('Clicked');
  expect(user.questions).toEqual([
    `Allow browser_click on ${new URL(url).origin}? Arguments: {"selector":"button"} (action policy: input@bank.localhost=ask)`,
  ]);
});

test.for(['decline', 'cancel'] as const)('a user can %s a call', async (action, { site, server }) => {
  site.set('/', page);
  await using user = await userWho(action, server);
  await user.call('browser_navigate', { url: at(site, 'bank.localhost') });
  expect((await user.call('browser_click', { selector: 'button' })).kind).toBe('CONFIRMATION_DECLINED');
  expect((await user.call('browser_snapshot', {})).text).toContain('Start');
});

test('the frame of the element decides, and all frames for keys', async ({ site, call }) => {
  site.set('/frame', '<button onclick="parent.postMessage(1, \'*\')">Buy</button>');
  site.set(
    '/',
    `<title>Shop</title><button>Go</button><iframe src="${at(site, 'x.ads.localhost', '/frame')}"></iframe>`,
  );
  await call('browser_navigate', { url: at(site, 'shop.localhost') });
  const { text } = await call('browser_snapshot', {});
  expect((await call('browser_click', { ref: refOf(text, 'button', 'Buy') })).kind).toBe('ACTION_DENIED');
  expect((await call('browser_click', { ref: refOf(text, 'button', 'Go') })).isError).toBe(false);
  expect((await call('browser_press_key', { key: 'Tab' })).kind).toBe('ACTION_DENIED');
});

/** Pages of a shop and of an advertiser in it. */
async function openShop(site: Site, call: Driver['call']): Promise<void> {
  site.set('/frame', '<button onclick="fetch(\'/bought\')">Buy</button><label>Code <input></label>');
  site.set('/bought', 'ok');
  site.set(
    '/',
    `<title>Shop</title><button>Go</button><iframe src="${at(site, 'x.ads.localhost', '/frame')}"></iframe>`,
  );
  await call('browser_navigate', { url: at(site, 'shop.localhost') });
}

const named = ['button "Buy"', 'Buy'] as const;

test.for(named)('an element of a frame that is named by %s is refused like its ref', async (target, { site, call }) => {
  await openShop(site, call);
  for (const key of ['ref', 'selector'] as const) {
    expect((await call('browser_click', { [key]: target })).isError, key).toBe(true);
    expect((await call('browser_hover', { [key]: target })).isError, key).toBe(true);
  }
  const byName = await call('browser_click', { target: 'button "Buy"' });
  expect([byName.kind, byName.meta['pagehelm/effect']]).toEqual(['ACTION_DENIED', 'none']);
  expect((await call('browser_select_text', { target: 'button "Buy"' })).kind).toBe('ACTION_DENIED');
  const step = await call('browser_batch', { steps: [{ tool: 'browser_click', args: { target: 'button "Buy"' } }] });
  expect(step.kind).toBe('ACTION_DENIED');
  const form = await call('browser_fill_form', { fields: [{ name: 'Code', target: 'textbox "Code"', value: 'x' }] });
  expect(form.text).toContain('Code: not filled. browser_fill_form was not run on http://x.ads.localhost');
  expect((await call('browser_click', { target: 'button "Go"' })).isError).toBe(false);
  expect(site.requests.map(({ path }) => path)).not.toContain('/bought');
});

plain.for(['--snapshot-format=playwright', '--compat=playwright'])(
  'with %s, the frame of a ref decides too',
  async (flag, { site }) => {
    await using server = await startApp([flag, `--action-policy=${policy.join(';')}`]);
    await using driver = await server.drive();
    await openShop(site, driver.call);
    const { text } = await driver.call('browser_snapshot', {});
    const buy = /button "Buy".*\[ref=(\w+)\]/.exec(text)?.[1];
    expect(buy).toMatch(/^f\d+e\d+$/);
    const inFrame = ['internal:control=enter-frame', '*internal:control=enter-frame'].map(
      (step) => `iframe >> ${step} >> button`,
    );
    for (const target of [buy, ...inFrame, `aria-ref=${buy}`, `*aria-ref=${buy}`]) {
      const answer = await driver.callRaw('browser_click', { element: 'Buy', target });
      expect(answer.isError, answer.text).toBe(true);
    }
    const own = await driver.callRaw('browser_click', { element: 'Go', target: 'button' });
    expect(own.isError, own.text).toBe(false);
    expect(site.requests.map(({ path }) => path)).not.toContain('/bought');
  },
);

test('a document of a blob: URL belongs to the origin that made it', async ({ site, call }) => {
  site.set(
    '/',
    `<script>
      const blob = new Blob(['<title>Blob</title><button>Go</button>'], { type: 'text/html' });
      onload = () => setTimeout(() => location = URL.createObjectURL(blob));
    </script>`,
  );
  await call('browser_navigate', { url: at(site, 'x.ads.localhost') });
  await call('browser_wait_for', { text: 'Go' });
  expect((await call('browser_click', { selector: 'button' })).kind).toBe('ACTION_DENIED');
});

test('a user confirms a call on an element of a frame that is named by role and name', async ({ site, server }) => {
  site.set('/frame', '<button onclick="fetch(\'/paid\')">Pay</button>');
  site.set('/', `<title>Shop</title><iframe src="${at(site, 'bank.localhost', '/frame')}"></iframe>`);
  await using user = await userWho('accept', server);
  await user.call('browser_navigate', { url: at(site, 'shop.localhost') });
  expect((await user.call('browser_click', { target: 'button "Pay"' })).isError).toBe(false);
  expect(user.questions).toEqual([expect.stringContaining('Allow browser_click on http://bank.localhost')]);
  expect(site.requests.filter(({ path }) => path === '/paid')).toHaveLength(1);
});

test('a confirmation holds only for the origin that the user saw', async ({ site, server }) => {
  site.set('/', page);
  await using driver = await server.drive({ capabilities: { elicitation: { form: {} } } });
  await driver.call('browser_navigate', { url: at(site, 'bank.localhost') });
  // While the user reads the question, the page goes elsewhere.
  driver.client.setRequestHandler('elicitation/create', async () => {
    await driver.call('browser_navigate', { url: at(site, 'x.ads.localhost') });
    return { action: 'accept', content: {} };
  });
  expect((await driver.call('browser_click', { selector: 'button' })).kind).toBe('ACTION_DENIED');
  expect((await driver.call('browser_snapshot', {})).text).toContain('Start');
});

plain('the first rule that matches decides', async ({ site }) => {
  site.set('/', page);
  await using server = await startApp(['--action-policy=input@shop.localhost=allow;*=deny']);
  await using driver = await server.drive();
  expect((await driver.call('browser_navigate', { url: at(site, 'shop.localhost') })).kind).toBe('ACTION_DENIED');
});
