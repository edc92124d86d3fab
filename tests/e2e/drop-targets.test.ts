import { evaluate, expect, open, test } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

/** The refs of elements without a role, in the order of the page. */
function refsIn(text: string): readonly string[] {
  return [...text.matchAll(/\[ref=(e\d+)\]/g)].map(([, ref = '']) => ref);
}

async function dragFirstToLast(call: Call, text: string): Promise<string> {
  const refs = refsIn(text);
  expect(refs.length, text).toBeGreaterThan(1);
  const dragged = await call('browser_drag', { startRef: refs.at(0) ?? '', endRef: refs.at(-1) ?? '' });
  expect(dragged.isError, dragged.text).toBe(false);
  return dragged.text;
}

const box = 'style="width:200px;height:80px;border:1px solid"';
const source = `<p id="item" draggable="true">Item A</p>`;
const effect = `(event) => { event.preventDefault(); event.currentTarget.append(document.querySelector('#item')) }`;

const ways: Readonly<Record<string, string>> = {
  addEventListener: `zone.addEventListener('dragover', (event) => event.preventDefault());
    zone.addEventListener('drop', ${effect})`,
  'a property': `zone.ondragover = (event) => event.preventDefault(); zone.ondrop = ${effect}`,
  'a listener object in the capture phase': `zone.addEventListener('dragover', (event) => event.preventDefault(), true);
    zone.addEventListener('drop', { handleEvent: ${effect} }, { capture: true })`,
};

test.for(Object.entries(ways))(
  '[S2-27] an empty element whose drop listener was added by %s is dropped on by its ref',
  async ([, script], { site, call }) => {
    const { text } = await open(site, call, `${source}<div id="zone" ${box}></div><script>${script}</script>`);
    expect(text).toContain('[drop target]');
    await dragFirstToLast(call, text);
    expect(await evaluate(call, "document.querySelector('#item').parentElement.id")).toBe('zone');
  },
);

test('[S2-27] items move between lists whose listeners a sorting script added', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<h1>Tasks</h1><div class="list" id="todo" ${box}><p draggable="true">Write</p></div>
     <div class="list" id="done" ${box}></div><script>
     class Sortable {
       static dragged;
       constructor(list) {
         for (const type of ['dragstart', 'dragenter', 'dragover', 'drop']) list.addEventListener(type, this);
         this.list = list;
       }
       handleEvent(event) {
         if (event.type === 'dragstart') Sortable.dragged = event.target;
         else event.preventDefault();
         if (event.type === 'dragover') this.list.append(Sortable.dragged);
       }
     }
     document.querySelectorAll('.list').forEach((list) => new Sortable(list))</script>`,
  );
  const [list = '', item = '', other = ''] = refsIn(text);
  expect(other, text).not.toBe('');
  const dragged = await call('browser_drag', { startRef: item, endRef: other });
  expect(dragged.isError, dragged.text).toBe(false);
  expect(await evaluate(call, "document.querySelector('#done').textContent")).toBe('Write');
  await call('browser_drag', { startRef: item, endRef: list });
  expect(await evaluate(call, "document.querySelector('#todo').textContent.trim()")).toBe('Write');
});

test('[S2-27] a drop target in an open shadow root is dropped on by its ref', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `${source}<div id="host"></div><script>
     const zone = document.createElement('div');
     zone.style.cssText = 'width:200px;height:80px';
     host.attachShadow({ mode: 'open' }).append(zone);
     zone.addEventListener('dragover', (event) => event.preventDefault());
     zone.addEventListener('drop', (event) => { event.preventDefault(); document.title = 'dropped' })</script>`,
  );
  expect(await dragFirstToLast(call, text)).toContain('Page Title: dropped');
});

test('[S2-27] a target that is inserted after its listener was added is in the next snapshot', async ({
  site,
  call,
}) => {
  const { text } = await open(
    site,
    call,
    `<button onclick="document.body.append(zone)">Show</button><script>
     const zone = document.createElement('div');
     zone.style.cssText = 'width:200px;height:80px';
     zone.addEventListener('drop', () => undefined)</script>`,
  );
  expect(text).not.toContain('[drop target]');
  const [ref] = refsIn(text);
  await call('browser_click', { ref });
  expect((await call('browser_snapshot')).text).toContain('[drop target]');
});

test('[S2-27] a listener that is added to an unchanged part of a large page is noticed', async ({ site, call }) => {
  const { text } = await open(
    site,
    call,
    `<button onclick="zone.ondrop = () => undefined; note.textContent = 'ready'">Arm</button><p id="note"></p>
     <section><div id="zone" ${box}><i>a</i><i>b</i><i>c</i><i>d</i></div></section>
     <p>${'<b>x</b>'.repeat(2500)}</p>`,
  );
  expect(text).not.toContain('[drop target]');
  // An explicit snapshot would visit everything.
  expect((await call('browser_click', { ref: refsIn(text)[0] })).text).toContain('[drop target]');
});

test.for([
  ['the document', 'document'],
  ['the body', 'document.body'],
  ['the window', 'window'],
  ['a wrapper around the headings and landmarks of the page', "document.querySelector('#app')"],
  ['the container of a framework that delegates events', "document.querySelector('#root')"],
] as const)('[S2-27] listeners on %s make no drop target', async ([, target], { site, call }) => {
  const { text } = await open(
    site,
    call,
    `<div id="app"><h1>Shop</h1><div id="root"><p>Text</p></div></div><script>
     const target = ${target};
     for (const type of ['dragenter', 'dragover', 'drop']) {
       target.addEventListener(type, () => undefined);
       if (target.id === 'root') target.addEventListener(type, () => undefined, true);
     }</script>`,
  );
  expect(text).toContain('Text');
  expect(text).not.toContain('[ref=');
});

test('[S2-27] the page cannot tell addEventListener from the original by name, length, or errors', async ({
  site,
  call,
}) => {
  await open(site, call, '<div id="zone"></div>');
  const seen = await evaluate(
    call,
    `(() => {
       const { addEventListener: add } = EventTarget.prototype;
       const setter = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'ondrop').set;
       let error = '';
       try { add.call({}, 'drop', () => undefined) } catch (thrown) { error = thrown.name }
       zone.addEventListener({ toString: () => 'drop' }, () => { error += ' heard' });
       zone.addEventListener('drop', null);
       zone.dispatchEvent(new Event('drop'));
       zone.ondrop = setter.call.bind(setter);
       return [add.name, add.length, add === window.addEventListener, String(add).includes('[native code]'), setter.name,
         typeof zone.ondrop, error].join();
     })()`,
  );
  expect(seen).toBe('addEventListener,2,true,true,set ondrop,function,TypeError heard');
});
