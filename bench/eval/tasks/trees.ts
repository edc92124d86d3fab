import type { EvalTask } from '../task.ts';

export const trees: readonly EvalTask[] = [
  {
    id: 'aria-tree',
    goal: 'Expand two levels of an ARIA tree and select a leaf.',
    style: `[role=group]{display:none}[aria-expanded=true]>[role=group]{display:block}`,
    body: `<h1>Library</h1><ul role="tree" aria-label="Books"><li role="treeitem" aria-expanded="false"><span>Fiction</span><ul role="group"><li role="treeitem"><span>Emma</span></li></ul></li>
<li role="treeitem" aria-expanded="false"><span>Science</span><ul role="group"><li role="treeitem" aria-expanded="false"><span>Physics</span><ul role="group"><li role="treeitem"><span>Optics</span></li><li role="treeitem"><span>Waves</span></li></ul></li></ul></li></ul><p id="at"></p>
<script>
let selected = null;
document.querySelector('[role=tree]').onclick = (event) => {
  const item = event.target.closest('[role=treeitem]');
  if (item.hasAttribute('aria-expanded')) item.setAttribute('aria-expanded', item.getAttribute('aria-expanded') !== 'true');
  else { selected = item.textContent; document.querySelector('#at').textContent = 'Selected: ' + selected; }
};
outcome = () => ({ selected });
</script>`,
    async run(hands) {
      await hands.click({ name: 'Science' });
      await hands.click({ name: 'Physics' });
      await hands.click({ name: 'Waves' });
      await hands.see('Selected: Waves');
    },
    expected: { selected: 'Waves' },
  },
  {
    id: 'file-tree',
    goal: 'Open a file by double click in a tree of divs with arrows.',
    style: `.children{display:none;margin-left:20px}.open>.children{display:block}.row{cursor:pointer}`,
    body: `<h1>Project</h1><div class="node"><div class="row"><span class="arrow">▸</span> src</div><div class="children"><div class="node"><div class="row">main.ts</div></div><div class="node"><div class="row">util.ts</div></div></div></div>
<div class="node"><div class="row"><span class="arrow">▸</span> docs</div><div class="children"><div class="node"><div class="row">guide.md</div></div></div></div><p id="opened"></p>
<script>
let opened = null;
document.querySelectorAll('.arrow').forEach((arrow) => arrow.addEventListener('click', () => arrow.closest('.node').classList.toggle('open')));
document.querySelectorAll('.children .row').forEach((row) => row.addEventListener('dblclick', () => { opened = row.textContent; document.querySelector('#opened').textContent = 'Opened ' + opened; }));
outcome = () => ({ opened });
</script>`,
    async run(hands) {
      await hands.click({ name: '▸', in: 'src' });
      await hands.click({ name: 'util.ts' }, { double: true });
      await hands.see('Opened util.ts');
    },
    expected: { opened: 'util.ts' },
  },
  {
    id: 'checkbox-tree',
    goal: 'Check one child and a whole branch of a tree of checkboxes.',
    body: `<h1>Permissions</h1><ul><li><label><input type="checkbox" class="all"> Users</label><ul><li><label><input type="checkbox" value="users.read"> Read users</label></li><li><label><input type="checkbox" value="users.write"> Write users</label></li></ul></li>
<li><label><input type="checkbox" class="all"> Reports</label><ul><li><label><input type="checkbox" value="reports.read"> Read reports</label></li><li><label><input type="checkbox" value="reports.write"> Write reports</label></li></ul></li></ul>
<script>
document.querySelectorAll('.all').forEach((all) => { all.onchange = () => all.closest('li').querySelectorAll('input[value*="."]').forEach((box) => { box.checked = all.checked; }); });
outcome = () => ({ granted: [...document.querySelectorAll('input[value*="."]:checked')].map(({ value }) => value) });
</script>`,
    async run(hands) {
      await hands.toggle({ role: 'checkbox', name: 'Read users' });
      await hands.toggle({ role: 'checkbox', name: 'Reports' });
    },
    expected: { granted: ['users.read', 'reports.read', 'reports.write'] },
  },
  {
    id: 'details',
    goal: 'Open nested details and press the button inside.',
    body: `<h1>Help</h1><details><summary>Account</summary><p>About accounts.</p></details><details><summary>Billing</summary><details><summary>Refunds</summary><p>Refunds take five days.</p><button>Request refund</button></details></details><p id="state"></p>
<script>
let requested = 0;
document.querySelector('button').onclick = () => { requested++; document.querySelector('#state').textContent = 'Refund requested'; };
outcome = () => ({ requested });
</script>`,
    async run(hands) {
      await hands.click({ name: 'Billing' });
      await hands.click({ name: 'Refunds' });
      await hands.click({ role: 'button', name: 'Request refund' });
      await hands.see('Refund requested');
    },
    expected: { requested: 1 },
  },
  {
    id: 'lazy-tree',
    goal: 'Expand a branch whose children are loaded late, and select one.',
    body: `<h1>Regions</h1><ul><li><button aria-expanded="false">Europe</button><ul></ul></li><li><button aria-expanded="false">Asia</button><ul></ul></li></ul><p id="chosen"></p>
<script>
const children = { Europe: ['Portugal', 'Norway'], Asia: ['Japan', 'Nepal'] };
let chosen = null;
document.querySelectorAll('button').forEach((button) => { button.onclick = () => {
  button.setAttribute('aria-expanded', 'true');
  const list = button.nextElementSibling;
  list.innerHTML = '<li>Loading…</li>';
  setTimeout(() => {
    list.innerHTML = children[button.textContent].map((name) => '<li><a href="#">' + name + '</a></li>').join('');
    list.onclick = (event) => { event.preventDefault(); chosen = event.target.textContent; document.querySelector('#chosen').textContent = 'Chosen: ' + chosen; };
  }, 250);
}; });
outcome = () => ({ chosen });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Asia' });
      await hands.click({ role: 'link', name: 'Nepal' });
      await hands.see('Chosen: Nepal');
    },
    expected: { chosen: 'Nepal' },
  },
];
