import { expect, refOf, slowly, test } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';

const board = `<title>Board</title><style>div { width: 150px; height: 80px; margin: 20px; border: 1px solid }</style>
<div id="card" role="button" aria-label="Card" draggable="true">Card</div><div id="done" role="button" aria-label="Done"></div><p id="log"></p><script>
card.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', 'the card'));
done.addEventListener('dragover', (event) => event.preventDefault());
done.addEventListener('drop', async (event) => {
  event.preventDefault();
  const data = event.dataTransfer.getData('text/plain');
  const saved = await fetch('/save').then((response) => response.text());
  log.textContent = 'Dropped ' + data + ', ' + saved;
});</script>`;

async function open(site: Site, call: Call): Promise<string> {
  site.set('/', board);
  site.set('/save', slowly(300, 'saved'));
  return (await call('browser_navigate', { url: site.url('/') })).text;
}

test.for([
  ['startRef', 'endRef'],
  ['startTarget', 'endTarget'],
  ['source', 'target'],
] as const)(
  '[S2-27, S2-28, S2-29, R-3] %s and %s: the element is dragged, and the effects are waited for',
  async ([from, to], { site, call, callRaw }) => {
    const page = await open(site, call);
    const ends = { [from]: refOf(page, 'button', 'Card'), [to]: refOf(page, 'button', 'Done') };
    const answer = await callRaw('browser_drag', { ...ends, startElement: 'the card', endElement: 'the column' });
    expect(answer.section('Result')).toBe('Dragged the card to the column.');
    expect(answer.section('Snapshot')).toContain('Dropped the card, saved');
  },
);

test('[S2-27] selectors work as well as refs', async ({ site, call }) => {
  await open(site, call);
  const answer = await call('browser_drag', { startRef: '#card', endRef: '#done' });
  expect(answer.section('Result')).toBe('Dragged #card to #done.');
  expect(answer.section('Ran Playwright code')).toContain("page.locator('#card').dragTo(page.locator('#done'))");
});

test('[S2-27] an unknown ref is an error for both source and target', async ({ site, call }) => {
  await open(site, call);
  for (const ends of [
    { startRef: 'e9999', endRef: '#done' },
    { startRef: '#card', endRef: 'e9999' },
  ]) {
    expect((await call('browser_drag', ends)).kind).toBe('REF_NOT_FOUND');
  }
});
