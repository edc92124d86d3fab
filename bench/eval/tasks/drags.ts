import type { EvalTask } from '../task.ts';

const boxStyle = `.item{border:1px solid #888;padding:8px;margin:6px;background:#eef;width:180px;user-select:none}`;

export const drags: readonly EvalTask[] = [
  {
    id: 'html5-drop',
    goal: 'Drag a file into the trash with HTML drag and drop.',
    style: `${boxStyle}#trash{border:2px dashed #c66;width:200px;height:80px}`,
    body: `<h1>Desktop</h1><div class="item" draggable="true" data-name="photo">photo.jpg</div><div class="item" draggable="true" data-name="draft">draft.doc</div><div id="trash">Trash</div>
<script>
const dropped = [];
document.querySelectorAll('.item').forEach((item) => { item.ondragstart = (event) => event.dataTransfer.setData('text/plain', item.dataset.name); });
const trash = document.querySelector('#trash');
trash.ondragover = (event) => event.preventDefault();
trash.ondrop = (event) => { event.preventDefault(); dropped.push(event.dataTransfer.getData('text/plain')); trash.textContent = 'Trash: ' + dropped.join(', '); };
outcome = () => ({ dropped });
</script>`,
    async run(hands) {
      await hands.drag({ name: 'draft.doc' }, { name: 'Trash' });
      await hands.see('Trash: draft');
    },
    expected: { dropped: ['draft'] },
  },
  {
    id: 'jquery-sortable',
    goal: 'Move the last item of a jQuery UI sortable list to the top.',
    libraries: ['jquery', 'jquery-ui'],
    style: boxStyle,
    body: `<h1>Playlist</h1><div id="list">${['Intro', 'Verse', 'Chorus', 'Outro'].map((name) => `<div class="item">${name}</div>`).join('')}</div>
<script>
$('#list').sortable();
outcome = () => ({ first: $('.item').first().text(), count: $('.item').length });
</script>`,
    async run(hands) {
      await hands.drag({ name: 'Outro' }, { name: 'Intro' });
    },
    expected: { first: 'Outro', count: 4 },
  },
  {
    id: 'sortablejs',
    goal: 'Move the first item of a SortableJS list to the place of the third.',
    libraries: ['sortable'],
    style: boxStyle,
    body: `<h1>Priorities</h1><div id="list">${['Tests', 'Docs', 'Speed', 'Looks'].map((name) => `<div class="item">${name}</div>`).join('')}</div>
<script>
new Sortable(document.querySelector('#list'), { animation: 100 });
outcome = () => ({ order: [...document.querySelectorAll('.item')].map((item) => item.textContent) });
</script>`,
    async run(hands) {
      await hands.drag({ name: 'Tests' }, { name: 'Speed' });
    },
    expected: { order: ['Docs', 'Speed', 'Tests', 'Looks'] },
  },
  {
    id: 'kanban',
    goal: 'Move a card to another column with pointer events.',
    style: `.column{display:inline-block;vertical-align:top;width:220px;min-height:160px;border:1px solid #aaa;margin:4px}${boxStyle}`,
    body: `<h1>Board</h1><div class="column" data-name="todo"><h3>To do</h3><div class="item">Write report</div><div class="item">Call Ben</div></div><div class="column" data-name="done"><h3>Done</h3></div>
<script>
document.querySelectorAll('.item').forEach((item) => item.addEventListener('pointerdown', (down) => {
  item.style.pointerEvents = 'none';
  const move = (event) => { item.style.transform = 'translate(' + (event.clientX - down.clientX) + 'px,' + (event.clientY - down.clientY) + 'px)'; };
  addEventListener('pointermove', move);
  addEventListener('pointerup', (up) => {
    removeEventListener('pointermove', move);
    document.elementFromPoint(up.clientX, up.clientY)?.closest('.column')?.append(item);
    item.style.transform = item.style.pointerEvents = '';
  }, { once: true });
}));
outcome = () => ({ done: [...document.querySelectorAll('[data-name=done] .item')].map((item) => item.textContent) });
</script>`,
    async run(hands) {
      await hands.drag({ name: 'Call Ben' }, { name: 'Done' });
    },
    expected: { done: ['Call Ben'] },
  },
  {
    id: 'move-box',
    goal: 'Move a window of the page 150 pixels to the right and 60 down by its title bar.',
    style: `#panel{position:absolute;left:40px;top:100px;width:200px;border:1px solid #444;background:#fff}#bar{background:#246;color:#fff;cursor:move;padding:4px}`,
    body: `<h1>Desk</h1><div id="panel"><div id="bar">Notes</div><p>Buy milk</p></div>
<script>
const panel = document.querySelector('#panel');
document.querySelector('#bar').addEventListener('mousedown', (down) => {
  const { offsetLeft, offsetTop } = panel;
  const move = (event) => { panel.style.left = offsetLeft + event.clientX - down.clientX + 'px'; panel.style.top = offsetTop + event.clientY - down.clientY + 'px'; };
  addEventListener('mousemove', move);
  addEventListener('mouseup', () => removeEventListener('mousemove', move), { once: true });
});
outcome = () => ({ left: panel.offsetLeft, top: panel.offsetTop });
</script>`,
    async run(hands) {
      await hands.dragBy({ name: 'Notes' }, { x: 150, y: 60 });
    },
    expected: { left: 190, top: 160 },
  },
  {
    id: 'split-pane',
    goal: 'Widen the left pane by 80 pixels at the separator.',
    style: `#panes{display:flex;width:600px;height:120px}#left{width:200px;background:#eee}#handle{width:8px;background:#999;cursor:col-resize}`,
    body: `<h1>Editor</h1><div id="panes"><div id="left">Files</div><div id="handle" role="separator" aria-orientation="vertical" aria-label="Resize"></div><div>Text</div></div>
<script>
const left = document.querySelector('#left');
document.querySelector('#handle').addEventListener('pointerdown', (down) => {
  const width = left.offsetWidth;
  const move = (event) => { left.style.width = width + event.clientX - down.clientX + 'px'; };
  addEventListener('pointermove', move);
  addEventListener('pointerup', () => removeEventListener('pointermove', move), { once: true });
});
outcome = () => ({ width: left.offsetWidth });
</script>`,
    async run(hands) {
      await hands.dragBy({ name: 'Resize' }, { x: 80, y: 0 });
    },
    expected: { width: 280 },
  },
];
