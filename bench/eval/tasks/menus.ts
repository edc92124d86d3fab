import type { EvalTask } from '../task.ts';

export const menus: readonly EvalTask[] = [
  {
    id: 'hover-menu',
    goal: 'Open a menu by hovering and follow an entry.',
    style: `nav ul{list-style:none;margin:0;padding:0}nav>ul>li{display:inline-block;position:relative;padding:8px}nav li ul{display:none;position:absolute;background:#fff;border:1px solid #999}nav li:hover ul{display:block}`,
    body: `<nav><ul><li><a href="#">Products</a><ul><li><a href="#lamps">Lamps</a></li><li><a href="#desks">Desks</a></li></ul></li><li><a href="#about">About</a></li></ul></nav>
<script>outcome = () => ({ at: location.hash });</script>`,
    async run(hands) {
      await hands.hover({ role: 'link', name: 'Products' });
      await hands.click({ role: 'link', name: 'Desks' });
    },
    expected: { at: '#desks' },
  },
  {
    id: 'context-menu',
    goal: 'Rename a file by its context menu.',
    style: `#menu{position:absolute;border:1px solid #888;background:#fff}#menu div{padding:4px 12px;cursor:pointer}`,
    body: `<h1>Files</h1><div class="file">budget.xls</div><div class="file">notes.txt</div><p id="state"></p>
<script>
let chosen = null;
document.querySelectorAll('.file').forEach((file) => { file.oncontextmenu = (event) => {
  event.preventDefault();
  const menu = document.createElement('div');
  menu.id = 'menu';
  menu.style.left = event.pageX + 'px'; menu.style.top = event.pageY + 'px';
  for (const name of ['Open', 'Rename', 'Delete']) { const item = document.createElement('div'); item.textContent = name; item.onclick = () => { chosen = name + ' ' + file.textContent; menu.remove(); document.querySelector('#state').textContent = 'Done: ' + chosen; }; menu.append(item); }
  document.body.append(menu);
}; });
outcome = () => ({ chosen });
</script>`,
    async run(hands) {
      await hands.click({ name: 'notes.txt' }, { button: 'right' });
      await hands.click({ name: 'Rename' });
      await hands.see('Done: Rename notes.txt');
    },
    expected: { chosen: 'Rename notes.txt' },
  },
  {
    id: 'custom-dropdown',
    goal: 'Choose in a dropdown made of divs.',
    style: `.select{width:180px;border:1px solid #888;padding:4px;cursor:pointer}.options{display:none;border:1px solid #888;width:180px}.open .options{display:block}.option{padding:4px;cursor:pointer}`,
    body: `<h1>Language</h1><div class="wrap"><div class="select"><span class="label">English</span> <span>▾</span></div><div class="options">${['English', 'French', 'Polish'].map((name) => `<div class="option">${name}</div>`).join('')}</div></div>
<script>
const wrap = document.querySelector('.wrap'), label = document.querySelector('.label');
document.querySelector('.select').addEventListener('click', () => wrap.classList.toggle('open'));
document.querySelectorAll('.option').forEach((option) => option.addEventListener('click', () => { label.textContent = option.textContent; wrap.classList.remove('open'); }));
outcome = () => ({ language: label.textContent });
</script>`,
    async run(hands) {
      await hands.click({ name: /^English/ });
      await hands.click({ name: 'Polish' });
    },
    expected: { language: 'Polish' },
  },
  {
    id: 'autocomplete',
    goal: 'Type a few letters and choose a suggestion.',
    body: `<h1>From where?</h1><label>Airport <input role="combobox" aria-expanded="false" aria-controls="list" autocomplete="off"></label><ul id="list" role="listbox" hidden></ul>
<script>
const airports = ['Lisbon LIS', 'Lima LIM', 'Lille LIL', 'London LHR'];
const input = document.querySelector('input'), list = document.querySelector('#list');
let chosen = null;
input.oninput = () => setTimeout(() => {
  list.innerHTML = airports.filter((name) => name.toLowerCase().startsWith(input.value.toLowerCase())).map((name) => '<li role="option">' + name + '</li>').join('');
  list.hidden = false;
  input.setAttribute('aria-expanded', 'true');
}, 150);
list.addEventListener('mousedown', (event) => { chosen = input.value = event.target.textContent; list.hidden = true; input.setAttribute('aria-expanded', 'false'); });
outcome = () => ({ chosen });
</script>`,
    async run(hands) {
      await hands.type({ role: 'combobox', name: 'Airport' }, 'li', { slowly: true });
      await hands.click({ role: 'option', name: 'Lima LIM' });
    },
    expected: { chosen: 'Lima LIM' },
  },
  {
    id: 'submenu',
    goal: 'Open a menu button and a submenu, and choose an entry.',
    body: `<h1>Document</h1><button aria-haspopup="menu">File</button><div role="menu" id="file" hidden><div role="menuitem" tabindex="-1">New</div><div role="menuitem" tabindex="-1" aria-haspopup="menu" id="export">Export</div><div role="menu" id="formats" hidden><div role="menuitem" tabindex="-1">PDF</div><div role="menuitem" tabindex="-1">CSV</div></div></div><p id="state"></p>
<script>
let chosen = null;
document.querySelector('button').onclick = () => { document.querySelector('#file').hidden = false; };
document.querySelector('#export').onclick = () => { document.querySelector('#formats').hidden = false; };
document.querySelectorAll('#formats div').forEach((item) => { item.onclick = () => { chosen = item.textContent; document.querySelector('#file').hidden = true; document.querySelector('#state').textContent = 'Exported as ' + chosen; }; });
outcome = () => ({ chosen });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'File' });
      await hands.click({ role: 'menuitem', name: 'Export' });
      await hands.click({ role: 'menuitem', name: 'CSV' });
      await hands.see('Exported as CSV');
    },
    expected: { chosen: 'CSV' },
  },
  {
    id: 'tabs',
    goal: 'Change a setting on another tab.',
    body: `<h1>Settings</h1><div role="tablist"><button role="tab" aria-selected="true">General</button><button role="tab" aria-selected="false">Privacy</button></div>
<div role="tabpanel"><p>General settings</p></div><div role="tabpanel" hidden><label><input type="checkbox" checked> Share my data</label></div>
<script>
const tabs = [...document.querySelectorAll('[role=tab]')], panels = [...document.querySelectorAll('[role=tabpanel]')];
tabs.forEach((tab, index) => { tab.onclick = () => tabs.forEach((each, at) => { each.setAttribute('aria-selected', at === index); panels[at].hidden = at !== index; }); });
outcome = () => ({ shares: document.querySelector('input').checked });
</script>`,
    async run(hands) {
      await hands.click({ role: 'tab', name: 'Privacy' });
      await hands.toggle({ role: 'checkbox', name: 'Share my data' });
    },
    expected: { shares: false },
  },
  {
    id: 'accordion',
    goal: 'Open a section that slides down and press its button.',
    libraries: ['jquery'],
    style: `.panel{display:none}h3{cursor:pointer}`,
    body: `<h1>Questions</h1><h3>How do I pay?</h3><div class="panel">By card.</div><h3>How do I cancel?</h3><div class="panel">Press the button. <button>Cancel my order</button></div><p id="state"></p>
<script>
let cancelled = 0;
$('h3').on('click', function () { $(this).next().slideToggle(300); });
$('button').on('click', () => { cancelled++; $('#state').text('Your order is cancelled'); });
outcome = () => ({ cancelled });
</script>`,
    async run(hands) {
      await hands.click({ name: 'How do I cancel?' });
      await hands.click({ role: 'button', name: 'Cancel my order' });
      await hands.see('Your order is cancelled');
    },
    expected: { cancelled: 1 },
  },
];
