import { evaluate, expect, open, refOf, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

const tall = `<title>Tall</title><style>body { margin: 0 } #box { height: 200px; overflow: auto; width: 300px }</style>
<div id="box"><div style="height:3000px">Inside</div></div><div style="height:5000px">Long</div>
<button id="send">Submit</button><div style="height:3000px"></div>`;

async function ask(call: Call, expression: string): Promise<unknown> {
  return JSON.parse((await evaluate(call, expression)) ?? '');
}

/** Distance of the button's center from the viewport's center. */
const offCentre = `Math.abs(send.getBoundingClientRect().top + send.offsetHeight / 2 - innerHeight / 2)`;

test.for([
  ['', ''],
  [', also where pages scroll smoothly', '<style>* { scroll-behavior: smooth }</style>'],
])(
  '[S2-116, S2-117, S2-118] an element is centered in the viewport when the call returns%s',
  async ([, style], { site, call }) => {
    const ref = refOf((await open(site, call, `${style}${tall}`)).text, 'button', 'Submit');
    const answer = await call('browser_scroll_into_view', { ref, element: 'Submit button' });
    expect(answer.section('Result')?.split('\n')[0]).toBe('Scrolled to Submit button.');
    expect(await ask(call, offCentre)).toBeLessThan(2);
  },
);

test('[S2-119] an unknown ref is not found', async ({ site, call }) => {
  await open(site, call, tall);
  const answer = await call('browser_scroll_into_view', { ref: 'e9999', element: 'Submit button' });
  expect(answer.section('Error')).toBe(
    '[REF_NOT_FOUND] The element was not found: no snapshot of this page has shown a ref "e9999".\n' +
      'Take a new browser_snapshot and use a ref from it.',
  );
});

test('[S2-120] a ref of a removed element is an error that it may no longer exist', async ({ site, call }) => {
  const ref = refOf((await open(site, call, tall)).text, 'button', 'Submit');
  await call('browser_evaluate', { function: '() => send.remove()' });
  const answer = await call('browser_scroll_into_view', { ref });
  expect(answer.kind).toBe('STALE_REF');
  expect(answer.section('Error')).toContain('may no longer exist');
});

test('the page is scrolled by pixels, by a viewport, and to its ends', async ({ site, call }) => {
  await open(site, call, tall);
  await call('browser_evaluate', { function: '() => box.remove()' });
  expect((await call('browser_scroll', { y: 300 })).section('Result')).toContain('Scrolled.');
  expect(await ask(call, 'scrollY')).toBe(300);
  await call('browser_scroll', { y: -100 });
  expect(await ask(call, 'scrollY')).toBe(200);
  const windowful = await call('browser_scroll');
  expect(await ask(call, 'scrollY')).toBe(200 + 648);
  expect(windowful.section('Ran Playwright code')).toContain('page.mouse.wheel(0, 648)');
  await call('browser_scroll', { to: 'end' });
  expect(await ask(call, 'scrollY + innerHeight === document.documentElement.scrollHeight')).toBe(true);
  expect((await call('browser_scroll', { to: 'end' })).section('Result')).toContain(
    'The end is reached: nothing moved.',
  );
  await call('browser_scroll', { to: 'top' });
  expect(await ask(call, 'scrollY')).toBe(0);
  await call('browser_scroll', { to: 'bottom' });
  expect(await ask(call, 'scrollY + innerHeight === document.documentElement.scrollHeight')).toBe(true);
});

test('direction with amount, and deltaX with deltaY, work like x and y', async ({ site, call, callRaw }) => {
  await open(site, call, `${tall}<div style="width: 5000px">Wide</div>`);
  await call('browser_evaluate', { function: '() => box.remove()' });
  const after = async (args: object): Promise<unknown> => {
    expect((await callRaw('browser_scroll', args)).text).not.toContain('Ignored');
    return ask(call, '[scrollX, scrollY]');
  };
  expect(await after({ direction: 'down' })).toEqual([0, 648]);
  expect(await after({ direction: 'up', amount: 100 })).toEqual([0, 548]);
  expect(await after({ direction: 'right', amount: 300 })).toEqual([300, 548]);
  expect(await after({ direction: 'left', amount: 200 })).toEqual([100, 548]);
  expect(await after({ deltaX: 50, deltaY: -48 })).toEqual([150, 500]);
});

test('an element is scrolled without scrolling the page', async ({ site, call }) => {
  await open(site, call, tall);
  await call('browser_scroll', { selector: '#box', y: 120 });
  expect(await ask(call, '[box.scrollTop, scrollY]')).toEqual([120, 0]);
  await call('browser_scroll', { selector: '#box', to: 'end' });
  expect(await ask(call, '[box.scrollTop, scrollY]')).toEqual([2800, 0]);
});

test('an element below the viewport is scrolled, not the page', async ({ site, call }) => {
  await open(
    site,
    call,
    `<title>Low</title><style>#box { height: 200px; overflow: auto }</style><div style="height:3000px">Long</div>
     <div id="box"><div id="inner" style="height:3000px">Inside</div></div>`,
  );
  const answer = await call('browser_scroll', { selector: '#box', y: 120 });
  expect(answer.section('Result')).toContain('Scrolled.');
  expect(await ask(call, 'box.scrollTop')).toBe(120);
  expect((await call('browser_scroll', { selector: '#inner', y: 80 })).section('Result')).toContain('Scrolled.');
  expect(await ask(call, 'box.scrollTop')).toBe(200);
  await call('browser_scroll', { to: 'top' });
  expect((await call('browser_scroll', { selector: 'body', y: 300 })).section('Result')).toContain('Scrolled.');
  expect(await ask(call, 'scrollY')).toBe(300);
});

/** Adds twenty items near the end of the list, up to two hundred. */
const endless = `<title>Feed</title><style>li { height: 60px }</style><ul id="list"></ul><script>
let count = 0; let busy = false;
async function more() {
  if (busy || count >= 200 || scrollY + innerHeight < document.documentElement.scrollHeight - 200) return;
  busy = true;
  const start = count === 0 ? 0 : Number(await fetch('/more?from=' + count).then((response) => response.text()));
  for (let i = start; i < start + 20; i++) list.insertAdjacentHTML('beforeend', '<li>Entry number ' + i + '.</li>');
  count = start + 20; busy = false;
}
addEventListener('scroll', more); more();</script>`;

test('an endless list is scrolled until a text appears', async ({ site, call }) => {
  site.set('/more', (request, response) =>
    response.end(new URL(request.url ?? '', 'http://x').searchParams.get('from')),
  );
  await open(site, call, endless);
  const answer = await call('browser_scroll', { until: 'Entry number 199.', max: 50 });
  expect(answer.section('Result')).toMatch(/The text "Entry number 199\." was found after \d+ steps\.\nScrolled\./);
  expect(await ask(call, 'document.querySelectorAll("li").length')).toBe(200);
});

test('scrolling to a text that never appears stops at the end of the page or after the given steps', async ({
  site,
  call,
}) => {
  await open(site, call, '<title>Short</title><div style="height:1500px">Text</div>');
  const atEnd = await call('browser_scroll', { until: 'Nowhere' });
  expect(atEnd.section('Result')).toMatch(
    /^The text "Nowhere" was not found in (?:[2-9]) steps\.\nThe end is reached\./,
  );
  expect(atEnd.section('Ran Playwright code')).toMatch(/for \(let i = 0; i < [2-9]; i\+\+\) await page\.mouse\.wheel/);
  await call('browser_scroll', { to: 'top' });
  const stopped = await call('browser_scroll', { until: 'Nowhere', y: 10, max: 2 });
  expect(stopped.section('Result')).toContain('The text "Nowhere" was not found in 2 steps.\nScrolled.');
});

test('an ambiguous selector is named in the error', async ({ site, call }) => {
  await open(site, call, '<p>Row 5</p><p>Row 50</p>');
  const answer = await call('browser_scroll', { ref: 'text=Row 5', y: 100 });
  expect(answer.kind).toBe('AMBIGUOUS_SELECTOR');
  expect(answer.text).toContain('text=Row 5');
});

/** A list that has only the items in view in the document. */
const virtualList = (
  count: number,
  label: string,
): string => `<div id="box" style="height:300px;overflow:auto"><div id="all" style="position:relative;height:${count} * 30px"></div></div><script>
  const draw = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / 30) - 2);
    all.style.height = ${count} * 30 + 'px';
    all.innerHTML = '';
    for (let i = first; i < Math.min(${count}, first + 14); i++) {
      const row = document.createElement('div');
      row.style = 'position:absolute;height:30px;top:' + i * 30 + 'px';
      row.textContent = ${label};
      all.append(row);
    }
  };
  box.onscroll = draw; draw();
</script>`;

test('200 items of a virtual list are listed once each, and the end is reported', async ({ site, call }) => {
  await open(site, call, virtualList(200, "'Item ' + i"));
  const answer = await call('browser_scroll', { ref: '#box', items: 500 });
  const items = answer.structured?.['data'];
  expect(items).toEqual({ items: Array.from({ length: 200 }, (_, index) => `Item ${index}`), isEnd: true });
  expect(answer.section('Result')).toMatch(
    /^1\. Item 0\n2\. Item 1\n[^]*\n200\. Item 199\n200 items\. The end is reached\.$/,
  );
});

test('items with equal texts are counted by their order, and a wanted number ends the scrolling', async ({
  site,
  call,
}) => {
  await open(site, call, virtualList(200, "'Group ' + Math.floor(i / 3)"));
  const answer = await call('browser_scroll', { ref: '#box', items: 50 });
  const expected = Array.from({ length: 50 }, (_, index) => `Group ${Math.floor(index / 3)}`);
  expect(answer.structured?.['data']).toEqual({ items: expected, isEnd: false });
});

test('an endless page is scrolled until it loads no more', async ({ site, call }) => {
  site.set('/more', (request, response) => {
    const from = Number(new URL(request.url ?? '', 'http://x').searchParams.get('from'));
    response.end(JSON.stringify(from >= 60 ? [] : Array.from({ length: 20 }, (_, index) => `Post ${from + index}`)));
  });
  await open(
    site,
    call,
    `<ul id="list" style="min-height:2000px"></ul><script>
      let from = 0, busy = false;
      const load = async () => {
        if (busy) return;
        busy = true;
        const posts = await (await fetch('/more?from=' + from)).json();
        from += posts.length;
        list.insertAdjacentHTML('beforeend', posts.map((text) => '<li style="height:60px">' + text + '</li>').join(''));
        busy = false;
      };
      addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 400) load(); });
      load();
    </script>`,
  );
  const answer = await call('browser_scroll', { items: 1000 });
  expect(answer.structured?.['data']).toEqual({
    items: Array.from({ length: 60 }, (_, index) => `Post ${index}`),
    isEnd: true,
  });
});
