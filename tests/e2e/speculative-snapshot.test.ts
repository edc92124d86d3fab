import { expect, open, refOf, slowly, testWith } from '../fixtures.ts';
import type { Answer, Call } from '../fixtures.ts';

const test = testWith(['--toolset=all']);

/** Controls whose last event runs `effect`, which writes the number of events into the output. */
const controls = (effect: string): string => `<input aria-label="Name" oninput="act()">
<input aria-label="Keys" onkeyup="act()" autofocus>
<label><input type="checkbox" oninput="act()"> News</label>
<select aria-label="Country" onchange="act()"><option>Chile<option>Japan</select>
<output id="o">idle</output>
<script>
let count = 0;
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => show();
const show = () => { o.textContent = 'effect ' + count };
const act = () => { count++; ${effect} };
</script>`;

const effects: readonly (readonly [when: string, effect: string])[] = [
  ['in the event listener', 'show()'],
  ['in a microtask', 'Promise.resolve().then(() => Promise.resolve()).then(show)'],
  ['in a message task', 'port2.postMessage(0)'],
  ['in a timer of 0 ms', 'setTimeout(show)'],
  ['in a timer of 150 ms', 'setTimeout(show, 150)'],
  ['in an animation frame', 'requestAnimationFrame(show)'],
  ['after a request', 'fetch("/data").then((r) => r.text()).then(show)'],
  ['after a request from a message task', 'port1.onmessage = () => fetch("/data").then(show); port2.postMessage(0)'],
  ['although it stops the event at the window', 'show()'],
];

/** Without this event at its own listener, the page agent cannot tell that the input has arrived. */
const stopped = `<script>for (const type of ['input', 'keyup']) addEventListener(type, (event) => {
  act();
  event.stopImmediatePropagation();
}, true)</script>`;

/** Each of them is answered with a speculative snapshot, if the page is at rest. */
const actions: readonly (readonly [string, (call: Call, page: string) => Promise<Answer>])[] = [
  ['typing', async (call, page) => call('browser_type', { ref: refOf(page, 'textbox', 'Name'), text: 'Ada' })],
  ['pressing a key', async (call) => call('browser_press_key', { key: 'ArrowLeft' })],
  [
    'selecting',
    async (call, page) => call('browser_select_option', { ref: refOf(page, 'combobox', 'Country'), values: ['Japan'] }),
  ],
  ['checking', async (call, page) => call('browser_check', { ref: refOf(page, 'checkbox', 'News') })],
  [
    'filling one field',
    async (call, page) =>
      call('browser_fill_form', { fields: [{ ref: refOf(page, 'checkbox', 'News'), value: 'true' }] }),
  ],
];

test.for(effects)('[S2-10] an answer shows the effect that a page has %s', async ([when, effect], { site, call }) => {
  site.set('/data', slowly(100, 'data'));
  for (const [action, act] of actions) {
    const isStopped = when === 'although it stops the event at the window' && action !== 'selecting';
    const { text } = await open(site, call, `${controls(effect)}${isStopped ? stopped : ''}`);
    await call('browser_evaluate', { function: '() => document.querySelector("[autofocus]").focus()' });
    const answer = await act(call, text);
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text, action).toContain('effect 1');
  }
});

test('an answer shows the effect of a key in a child frame', async ({ site, call }) => {
  site.set(
    '/frame',
    slowly(0, '<input autofocus onkeyup="o.textContent = `frame got ${event.key}`"><output id="o">idle</output>'),
  );
  const { text } = await open(site, call, '<iframe src="/frame"></iframe>');
  await call('browser_click', { ref: refOf(text, 'textbox') });
  expect((await call('browser_press_key', { key: 'ArrowLeft' })).text).toContain('frame got ArrowLeft');
});

test('an answer shows the values of all fields of a form', async ({ site, call }) => {
  const names = ['First', 'Second', 'Third'];
  const { text } = await open(
    site,
    call,
    `${names.map((name) => `<input aria-label="${name}" oninput="o${name}.textContent = '${name} is ' + value">`).join('')}
${names.map((name) => `<output id="o${name}"></output>`).join('')}`,
  );
  const fields = names.map((name) => ({ ref: refOf(text, 'textbox', name), value: `value of ${name}` }));
  const answer = await call('browser_fill_form', { fields });
  for (const name of names) expect(answer.text).toContain(`${name} is value of ${name}`);
});

test('each key press is answered with the state after it', async ({ site, call }) => {
  await open(
    site,
    call,
    '<input autofocus onkeyup="this.ariaLabel = `pressed ${++count}`"><script>let count = 0</script>',
  );
  for (let count = 1; count <= 20; count++)
    expect((await call('browser_press_key', { key: 'ArrowLeft' })).text).toContain(`pressed ${count}"`);
});

test('a value that is typed without an effect on the page is in the answer', async ({ site, call }) => {
  const { text } = await open(site, call, '<input aria-label="Name">');
  const ref = refOf(text, 'textbox', 'Name');
  for (const value of ['Ada', 'Grace', 'Barbara'])
    expect((await call('browser_type', { ref, text: value })).text).toContain(value);
});
