import type { EvalTask } from '../task.ts';

const people = ['Ada Berg', 'Ben Cole', 'Cleo Dunn', 'Dan Eide', 'Eva Fox'];
const prices = [
  ['Lamp', 39],
  ['Desk', 240],
  ['Chair', 85],
  ['Shelf', 129],
  ['Rug', 64],
] as const;

export const lists: readonly EvalTask[] = [
  {
    id: 'twin-links',
    goal: 'Delete one person; each row has links of the same name.',
    body: `<h1>Members</h1><ul>${people.map((name) => `<li>${name} <a href="#">Edit</a> <a href="#">Delete</a></li>`).join('')}</ul>
<script>
const log = [];
document.querySelector('ul').onclick = (event) => {
  if (event.target.tagName !== 'A') return;
  event.preventDefault();
  const item = event.target.parentNode;
  log.push(event.target.textContent + ' ' + item.firstChild.data.trim());
  if (event.target.textContent === 'Delete') item.remove();
};
outcome = () => ({ log });
</script>`,
    async run(hands) {
      await hands.click({ role: 'link', name: 'Delete', in: 'Cleo Dunn' });
    },
    expected: { log: ['Delete Cleo Dunn'] },
  },
  {
    id: 'sort-table',
    goal: 'Sort by price, highest first, and buy the first item.',
    body: `<h1>Furniture</h1><table><thead><tr><th>Name</th><th class="sort" style="cursor:pointer">Price</th><th></th></tr></thead><tbody></tbody></table><p id="bought"></p>
<script>
let rows = ${JSON.stringify(prices)}, direction = 0, bought = null;
const draw = () => {
  document.querySelector('tbody').innerHTML = rows.map(([name, price]) => '<tr><td>' + name + '</td><td>' + price + ' EUR</td><td><button>Buy</button></td></tr>').join('');
  document.querySelectorAll('tbody button').forEach((button, index) => { button.onclick = () => { bought = rows[index][0]; document.querySelector('#bought').textContent = 'You bought: ' + bought; }; });
};
document.querySelector('.sort').addEventListener('click', () => { direction = direction === 1 ? -1 : 1; rows.sort((a, b) => direction * (a[1] - b[1])); draw(); });
draw();
outcome = () => ({ bought, direction });
</script>`,
    async run(hands) {
      await hands.click({ name: 'Price' });
      await hands.click({ name: 'Price' });
      await hands.click({ role: 'button', name: 'Buy' });
      await hands.see('You bought: Desk');
    },
    expected: { bought: 'Desk', direction: -1 },
  },
  {
    id: 'table-checkboxes',
    goal: 'Archive two of five orders by their checkboxes.',
    body: `<h1>Orders</h1><table><tr><th></th><th>Order</th><th>State</th></tr>${[101, 102, 103, 104, 105].map((id) => `<tr><td><input type="checkbox" value="${id}"></td><td>#${id}</td><td>paid</td></tr>`).join('')}</table>
<button>Archive selected</button><p id="done"></p>
<script>
let archived = null;
document.querySelector('button').onclick = () => {
  archived = [...document.querySelectorAll('input:checked')].map(({ value }) => value);
  document.querySelector('#done').textContent = archived.length + ' orders archived';
};
outcome = () => ({ archived });
</script>`,
    async run(hands) {
      await hands.toggle({ role: 'checkbox', in: '#102' });
      await hands.toggle({ role: 'checkbox', in: '#104' });
      await hands.click({ role: 'button', name: 'Archive selected' });
      await hands.see('2 orders archived');
    },
    expected: { archived: ['102', '104'] },
  },
  {
    id: 'inline-edit',
    goal: 'Change a cell that becomes a field on double click.',
    body: `<h1>Stock</h1><table><tr><th>Item</th><th>Count</th></tr><tr><td>Bolts</td><td class="edit">120</td></tr><tr><td>Nuts</td><td class="edit">75</td></tr></table><p>Double-click a count to edit it.</p>
<script>
document.querySelectorAll('.edit').forEach((cell) => cell.addEventListener('dblclick', () => {
  const input = document.createElement('input');
  input.value = cell.textContent;
  input.setAttribute('aria-label', 'Count');
  input.onkeydown = (event) => { if (event.key === 'Enter') cell.textContent = input.value; };
  cell.replaceChildren(input);
  input.focus();
}));
outcome = () => ({ counts: [...document.querySelectorAll('.edit')].map((cell) => cell.textContent) });
</script>`,
    async run(hands) {
      await hands.click({ name: '75' }, { double: true });
      await hands.type({ role: 'textbox', name: 'Count' }, '80', { submit: true });
    },
    expected: { counts: ['120', '80'] },
  },
  {
    id: 'pagination',
    goal: 'Find a customer on a later page and open it.',
    body: `<h1>Customers</h1><ul></ul><nav aria-label="Pages"><button>Previous</button> <span id="at"></span> <button>Next</button></nav><p id="opened"></p>
<script>
let page = 1, opened = null;
const draw = () => {
  document.querySelector('ul').innerHTML = Array.from({ length: 8 }, (_, i) => '<li><a href="#">Customer ' + ((page - 1) * 8 + i + 1) + '</a></li>').join('');
  document.querySelector('#at').textContent = 'Page ' + page + ' of 5';
};
document.querySelector('ul').onclick = (event) => { event.preventDefault(); opened = event.target.textContent; document.querySelector('#opened').textContent = 'Opened: ' + opened; };
const [previous, next] = document.querySelectorAll('button');
previous.onclick = () => { page = Math.max(1, page - 1); draw(); };
next.onclick = () => { page = Math.min(5, page + 1); draw(); };
draw();
outcome = () => ({ opened });
</script>`,
    async run(hands) {
      for (let page = 1; page < 5 && !(await hands.shows('Customer 21')); page += 1)
        await hands.click({ role: 'button', name: 'Next' });
      await hands.click({ role: 'link', name: 'Customer 21' });
      await hands.see('Opened: Customer 21');
    },
    expected: { opened: 'Customer 21' },
  },
  {
    id: 'filter-list',
    goal: 'Filter a list by typing, and pick the only result.',
    body: `<h1>Cities</h1><input type="search" aria-label="Filter"><ul></ul><p id="picked"></p>
<script>
const names = ['Porto', 'Prague', 'Paris', 'Perth', 'Palermo', 'Pisa', 'Plovdiv', 'Pula', 'Pune', 'Puebla'];
let picked = null;
const draw = (text) => { document.querySelector('ul').innerHTML = names.filter((name) => name.toLowerCase().includes(text)).map((name) => '<li><button>' + name + '</button></li>').join(''); };
document.querySelector('input').oninput = (event) => setTimeout(() => draw(event.target.value.toLowerCase()), 80);
document.querySelector('ul').onclick = (event) => { if (event.target.tagName === 'BUTTON') { picked = event.target.textContent; document.querySelector('#picked').textContent = 'Picked: ' + picked; } };
draw('');
outcome = () => ({ picked, shown: document.querySelectorAll('li').length });
</script>`,
    async run(hands) {
      await hands.type({ role: 'searchbox', name: 'Filter' }, 'ler');
      await hands.click({ role: 'button', name: 'Palermo' });
      await hands.see('Picked: Palermo');
    },
    expected: { picked: 'Palermo', shown: 1 },
  },
  {
    id: 'load-more',
    goal: 'Load more messages until one from Zoe appears, and like it.',
    body: `<h1>Messages</h1><div id="feed"></div><button id="more">Load more</button>
<script>
const liked = [];
let count = 0;
const add = () => { for (let i = 0; i < 5; i++) { count++; const card = document.createElement('article'); card.innerHTML = '<h3>' + (count === 13 ? 'Zoe' : 'Person ' + count) + '</h3><p>Message number ' + count + '</p><button>Like</button>'; const id = count; card.querySelector('button').onclick = () => liked.push(id); document.querySelector('#feed').append(card); } };
document.querySelector('#more').onclick = () => setTimeout(add, 60);
add();
outcome = () => ({ liked });
</script>`,
    async run(hands) {
      for (let loads = 0; loads < 4 && !(await hands.shows('Zoe')); loads += 1)
        await hands.click({ role: 'button', name: 'Load more' });
      await hands.click({ role: 'button', name: 'Like', in: 'Zoe' });
    },
    expected: { liked: [13] },
  },
  {
    id: 'flight-cards',
    goal: 'Book the flight of a certain time among cards that look alike.',
    body: `<h1>Flights to Lima</h1>${['06:10', '09:45', '13:20', '18:05'].map((time, index) => `<div class="card" style="border:1px solid #ccc;margin:8px;padding:8px"><div>${time}</div><div>${120 + index * 35} EUR</div><button data-time="${time}">Book</button></div>`).join('')}<p id="booked"></p>
<script>
let booked = null;
document.querySelectorAll('button').forEach((button) => { button.onclick = () => { booked = button.dataset.time; document.querySelector('#booked').textContent = 'Booked: ' + booked; }; });
outcome = () => ({ booked });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Book', in: '13:20' });
      await hands.see('Booked: 13:20');
    },
    expected: { booked: '13:20' },
  },
  {
    id: 'read-and-enter',
    goal: 'Read a value in a table and enter it in a field.',
    body: `<h1>Invoice check</h1><table><tr><th>Invoice</th><th>Customer</th><th>Total</th></tr>${people.map((name, index) => `<tr><td>INV-${index + 11}</td><td>${name}</td><td>${index * 37 + 112}.50</td></tr>`).join('')}</table>
<p><label>Total of Dan Eide <input></label> <button>Check</button> <span id="result"></span></p>
<script>
let entered = null;
document.querySelector('button').onclick = () => { entered = document.querySelector('input').value; document.querySelector('#result').textContent = entered === '223.50' ? 'Correct' : 'Wrong'; };
outcome = () => ({ entered });
</script>`,
    async run(hands) {
      const total = await hands.read(/Dan Eide(?:"?[^\n]*\| |[^\n]*\n[^\n]*cell "|[^\n\d]*)(\d+\.\d+)/);
      await hands.type({ role: 'textbox', name: 'Total of Dan Eide' }, total);
      await hands.click({ role: 'button', name: 'Check' });
      await hands.see('Correct');
    },
    expected: { entered: '223.50' },
  },
  {
    id: 'range-select',
    goal: 'Select a range of rows with Shift, and delete it.',
    style: `li{cursor:pointer;user-select:none}li.on{background:#cde}`,
    body: `<h1>Files</h1><ul>${['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'].map((name) => `<li>${name}</li>`).join('')}</ul><button>Delete</button>
<script>
const items = [...document.querySelectorAll('li')];
let last = 0, deleted = [];
items.forEach((item, index) => item.addEventListener('click', (event) => {
  const [from, to] = event.shiftKey ? [Math.min(last, index), Math.max(last, index)] : [index, index];
  items.forEach((each, at) => each.classList.toggle('on', at >= from && at <= to));
  if (!event.shiftKey) last = index;
}));
document.querySelector('button').onclick = () => { for (const item of document.querySelectorAll('.on')) { deleted.push(item.textContent); item.remove(); } };
outcome = () => ({ deleted });
</script>`,
    async run(hands) {
      await hands.click({ name: 'b.txt' });
      await hands.click({ name: 'd.txt' }, { modifiers: ['Shift'] });
      await hands.click({ role: 'button', name: 'Delete' });
    },
    expected: { deleted: ['b.txt', 'c.txt', 'd.txt'] },
  },
];
