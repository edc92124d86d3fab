import { expect, open, refOf, test } from '../fixtures.ts';
import type { Site } from '../fixtures.ts';

const inbox = `<title>Inbox</title><a href="/msg">Open message</a>
<button onclick="fetch('/hit-archive')">Archive</button>`;
const message = `<title>Message</title><a href="/">Back</a>
<button onclick="fetch('/hit-delete')">Delete forever</button><button>Archive</button>`;

const hits = (site: Site): readonly string[] =>
  site.requests.map(({ path }) => path).filter((path) => path.startsWith('/hit-'));

test('[S2-120] a ref of an earlier document is stale after the new one was shown, and its candidates work', async ({
  site,
  call,
}) => {
  site.set('/msg', message);
  const { text } = await open(site, call, inbox);
  const archive = refOf(text, 'button', 'Archive');
  const shown = await call('browser_click', { ref: refOf(text, 'link', 'Open message') });
  expect(shown.text).toContain('Delete forever');
  const answer = await call('browser_click', { ref: archive, element: 'Archive button' });
  expect(answer.kind).toBe('STALE_REF');
  expect(hits(site)).toEqual([]);
  const candidate = refOf(answer.text, 'button', 'Archive');
  expect(candidate).toBe(refOf(shown.text, 'button', 'Archive'));
  expect((await call('browser_click', { ref: candidate })).isError).toBe(false);
});

test('[S2-120] of two parallel clicks the second is stale if the first navigates', async ({ site, call }) => {
  site.set('/msg', message);
  const { text } = await open(site, call, inbox);
  const refs = [refOf(text, 'link', 'Open message'), refOf(text, 'button', 'Archive')];
  const [first, second] = await Promise.all(refs.map(async (ref) => call('browser_click', { ref })));
  expect(first?.isError).toBe(false);
  expect(second?.kind).toBe('STALE_REF');
  expect(hits(site)).toEqual([]);
});

test('[S2-120] of two parallel clicks the second is an error if the first opens a popup', async ({ site, call }) => {
  site.set('/msg', message);
  const { text } = await open(site, call, inbox.replace('<a ', '<a target="_blank" '));
  const refs = [refOf(text, 'link', 'Open message'), refOf(text, 'button', 'Archive')];
  const [first, second] = await Promise.all(refs.map(async (ref) => call('browser_click', { ref })));
  expect(first?.text).toContain('Delete forever');
  expect(second?.kind).toBe('REF_NOT_FOUND');
  expect(hits(site)).toEqual([]);
});

test('[S2-120] refs are not reused when a page is opened again, nor by elements that a search finds', async ({
  site,
  call,
}) => {
  const { text } = await open(site, call, inbox);
  const before = refOf(text, 'button', 'Archive');
  const reloaded = await call('browser_navigate', { url: site.url('/') });
  const after = refOf(reloaded.text, 'button', 'Archive');
  expect(after).not.toBe(before);
  expect((await call('browser_click', { ref: before })).kind).toBe('STALE_REF');
  expect((await call('browser_click', { ref: after })).isError).toBe(false);
  expect(hits(site)).toEqual(['/hit-archive']);
  site.set('/msg', message);
  await call('browser_evaluate', { function: "() => { location.href = '/msg' }" });
  const found = await call('browser_find', { selector: 'button >> nth=0' });
  const [, ref = ''] = /\[ref=(\w+)\]/.exec(found.text) ?? [];
  expect([before, after, refOf(text, 'link', 'Open message')]).not.toContain(ref);
});

test('[S2-120] a ref of an earlier document of a frame is stale', async ({ site, call }) => {
  site.set('/inner', inbox);
  site.set('/msg', message);
  const { text } = await open(site, call, '<h1>Mail</h1><iframe src="/inner"></iframe>');
  const archive = refOf(text, 'button', 'Archive');
  const shown = await call('browser_click', { ref: refOf(text, 'link', 'Open message') });
  expect(shown.text).toContain('Delete forever');
  expect((await call('browser_click', { ref: archive })).kind).toBe('STALE_REF');
  expect(hits(site)).toEqual([]);
});

test.for([
  ['Archive button', true],
  ['the Delete forever button', false],
  ['Remove the message', false],
] as const)(
  '[S2-120] a description that names another element is noted: %s',
  async ([element, isNoted], { site, call }) => {
    const { text } = await open(site, call, message);
    const ref = refOf(text, 'button', 'Delete forever');
    const answer = await call('browser_click', { ref, element });
    expect(hits(site)).toEqual(['/hit-delete']);
    expect(answer.text.includes(`${ref} is button "Delete forever"`)).toBe(isNoted);
  },
);
