import { evaluate, expect, open, refOf, test } from '../fixtures.ts';

/** The action time-out. It exceeds the time limit of a test, so only an answer that does not wait for it passes. */
const patience = 30_000;

const lists = `<title>Lists</title>
<input role="combobox" id="city" aria-label="City" aria-controls="cities" aria-expanded="false" oninput="setTimeout(() => { cities.hidden = false; for (const city of cities.children) city.hidden = !city.textContent.includes(this.value) }, 150)">
<ul role="listbox" id="cities" hidden onclick="city.value = event.target.textContent; city.dataset.by = 'click'; this.hidden = true"><li role="option">Berlin</li><li role="option">Bonn</li><li role="option">New Berlin</li></ul>
<button id="fruit" aria-label="Fruit" aria-haspopup="listbox" onclick="setTimeout(popUp, 150)" onkeydown="if (event.key === 'Escape') document.getElementById('pop')?.remove()">Choose</button>
<ul role="listbox" id="colours" aria-label="Colours" aria-multiselectable="true" onclick="event.target.ariaSelected = 'true'"><li role="option">Red</li><li role="option">Green</li><li role="option">Blue</li></ul>
<script>function popUp() { const list = document.createElement('ul'); list.role = 'listbox'; list.id = 'pop'; list.innerHTML = '<li role=option>Apple</li><li role=option>Pear</li>';
fruit.setAttribute('aria-controls', 'pop'); list.onclick = (event) => { fruit.textContent = event.target.textContent; list.remove() }; document.body.append(list); }</script>`;
const listed = `[city.value, city.dataset.by, fruit.textContent, [...document.querySelectorAll('[aria-selected=true]')].map((option) => option.textContent).join('+')].join()`;

test('[S2-24] custom selects are opened and an option is chosen', async ({ site, call, callRaw }) => {
  await open(site, call, lists);
  const answer = await callRaw('browser_fill_form', {
    fields: [
      { name: 'City', value: 'Berlin' },
      { name: 'Fruit', value: 'Pear' },
      { name: 'Colours', value: ['Red', 'Blue'] },
    ],
  });
  expect(answer.section('Result')).toBe('City: "Berlin"\nFruit: "Pear"\nColours: "Red, Blue"');
  expect(await evaluate(call, listed)).toBe('Berlin,click,Pear,Red+Blue');
});

test('[S2-24] a missing option of a custom select lists the available ones; free text stays', async ({
  site,
  call,
}) => {
  await open(site, call, lists);
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'City', value: 'Atlantis' },
      { name: 'Fruit', value: 'Nut' },
    ],
  });
  expect(answer.section('Error')).toContain(
    `- City: "Atlantis" (typed; no option is called so)
- Fruit: not filled. There is no option "Nut". The options are "Apple", "Pear".
`,
  );
  expect(await evaluate(call, `${listed} + document.getElementById('pop')`)).toBe('Atlantis,,Choose,null');
});

test('a disabled or missing option of a custom select fails fast, also by ref', async ({ site, call }) => {
  const { text: page } = await open(
    site,
    call,
    `<div role="listbox" aria-label="Plan" tabindex="0"><div role="option">Basic</div><div role="option" aria-disabled="true">Pro</div></div>`,
  );
  const ref = refOf(page, 'listbox', 'Plan');
  const refusal = async (value: string): Promise<string | undefined> =>
    (await call('browser_select_option', { ref, values: [value], timeout: patience })).section('Error')?.split('\n')[0];
  expect(await refusal('Pro')).toBe('[ELEMENT_NOT_CLICKABLE] option "Pro" could not be acted on: it is disabled.');
  expect(await refusal('Huge')).toBe('[NO_SUCH_OPTION] There is no option "Huge". The options are "Basic", "Pro".');
});

test('[S2-30] an option is selected in a custom select', async ({ site, call }) => {
  const { text: page } = await open(site, call, lists);
  const answer = await call('browser_select_option', { ref: refOf(page, 'button', 'Fruit'), values: ['Pear'] });
  expect(answer.section('Result')).toBe('Selected "Pear" in button "Fruit".');
  expect(await evaluate(call, 'fruit.textContent')).toBe('Pear');
});

test('a partial match is not chosen while options are still loading', async ({ site, call }) => {
  site.set('/cities', (_request, response) => void setTimeout(() => response.end('<li role="option">Berlin'), 800));
  const { text: page } = await open(
    site,
    call,
    `<input role="combobox" id="city" aria-label="City" aria-controls="cities" oninput="cities.hidden = false; fetch('/cities').then(async (answer) => { cities.innerHTML += await answer.text() })">
    <ul role="listbox" id="cities" hidden onclick="city.value = event.target.textContent"><li role="option">New Berlin</ul>`,
  );
  await call('browser_select_option', { ref: refOf(page, 'combobox', 'City'), values: ['Berlin'] });
  expect(await evaluate(call, 'city.value')).toBe('Berlin');
});

const spoken = `<title>Spoken</title><div id="box" onclick="pop.hidden = false"><input role="combobox" readonly id="size" aria-label="Size" aria-controls="sizes" aria-expanded="false"></div>
<div id="pop" hidden><div role="listbox" id="sizes" style="width: 0; height: 0; overflow: hidden"><div role="option" aria-label="Small">s</div></div>
<div onclick="size.value = event.target.textContent; pop.hidden = true"><div>Small</div><div>Large</div><div aria-disabled="true"><span>Huge</span></div></div></div>`;

test('visible options are found next to a list for screen readers', async ({ site, call }) => {
  const { text: page } = await open(site, call, spoken);
  const ref = refOf(page, 'combobox', 'Size');
  const answer = await call('browser_select_option', { ref, values: ['Large'] });
  expect(answer.section('Result')).toBe('Selected "Large" in combobox "Size".');
  expect(await evaluate(call, 'size.value')).toBe('Large');
  const refused = await call('browser_select_option', { ref, values: ['Huge'] });
  expect(refused.section('Error')).toContain('There is no option "Huge". The options are "Small", "Large".');
});

test('an option that filtering does not find is chosen from the full list', async ({ site, call }) => {
  const { text: page } = await open(
    site,
    call,
    `<input role="combobox" id="land" aria-label="Land" aria-controls="lands" oninput="for (const land of lands.children) land.hidden = !land.dataset.code.startsWith(this.value)">
    <ul role="listbox" id="lands" onclick="land.value = event.target.dataset.code"><li role="option" data-code="de">Germany<li role="option" data-code="fr">France</ul>`,
  );
  const ref = refOf(page, 'combobox', 'Land');
  await call('browser_select_option', { ref, values: ['France'] });
  expect(await evaluate(call, 'land.value')).toBe('fr');
  const refused = await call('browser_select_option', { ref, values: ['Peru'] });
  expect(refused.section('Error')).toContain('There is no option "Peru". The options are "Germany", "France".');
});

const framed = `<style>#frame { position: relative; width: 200px; cursor: pointer } #hint { position: absolute; left: 0; top: 0; width: 100% }</style>
<div id="frame" onclick="pop.hidden = false"><input role="combobox" readonly id="town" aria-label="Town" aria-controls="pop" style="width: 200px"><span id="hint">Select</span></div>
<ul role="listbox" id="pop" hidden onclick="hint.textContent = event.target.textContent; pop.hidden = true"><li role="option">Bonn<li role="option">Ulm</ul>`;

test('a select whose field is covered by its own placeholder is opened and filled', async ({ site, call }) => {
  await open(site, call, framed);
  expect((await call('browser_click', { selector: '#town' })).section('Snapshot')).toContain('option "Ulm"');
  await call('browser_evaluate', { function: '() => { pop.hidden = true }' });
  await call('browser_select_option', { selector: '#town', values: ['Ulm'] });
  expect(await evaluate(call, 'hint.textContent')).toBe('Ulm');
  await call('browser_fill_form', { fields: [{ name: 'Town', value: 'Bonn' }] });
  expect(await evaluate(call, 'hint.textContent')).toBe('Bonn');
});
