import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Pages built from the documented examples of drag and drop libraries. Each has the items A to E in a list. */

const require = createRequire(import.meta.url);
const file = (path: string): string => readFileSync(require.resolve(path), 'utf8').replaceAll('</script', '<\\/script');

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>
  body { font: 16px sans-serif } ul, ol { list-style: none; margin: 10px; padding: 10px; width: 220px; min-height: 60px; border: 1px solid }
  li { margin: 4px 0; padding: 10px; background: #eee; cursor: grab }</style>${head}</head><body>${body}</body></html>`;

const items = ['A', 'B', 'C', 'D', 'E'].map((name) => `<li>Item ${name}</li>`).join('');
const lists = `<ul id="one">${items}</ul><ul id="two"><li>Item X</li><li>Item Y</li></ul>`;

export function jqueryUiPage(): string {
  const head = ['jquery/dist/jquery.min.js', 'jquery-ui/dist/jquery-ui.min.js']
    .map((path) => `<script>${file(path)}</script>`)
    .join('');
  return page(
    'jQuery UI',
    `${lists}<div id="box" style="width:80px;height:80px;background:#cde">Drag me</div>
     <div id="bin" style="width:150px;height:100px;margin-top:100px;border:1px solid">Drop here</div><script>
     $('#one, #two').sortable({ connectWith: 'ul' });
     $('#box').draggable();
     $('#bin').droppable({ drop: function () { $(this).text('Dropped!') } });</script>`,
    head,
  );
}

export function sortableJsPage(): string {
  return page(
    'SortableJS',
    `${lists}<script>
     for (const list of document.querySelectorAll('ul')) new Sortable(list, { group: 'shared', animation: 150 });</script>`,
    `<script>${file('sortablejs/Sortable.min.js')}</script>`,
  );
}

/** Tiles in rows, grabbed by a handle, below a text that is taller than the viewport. */
export function tilesPage(): string {
  const tiles = ['A', 'B', 'C', 'D', 'E'].map((name) => `<li><b>::</b><i>Item ${name}</i></li>`).join('');
  return page(
    'Tiles',
    `<div style="height:2000px">Above</div><ul id="one" style="display:flex;flex-wrap:wrap;width:330px">${tiles}</ul><script>
     new Sortable(one, { handle: 'b', animation: 150 });</script>`,
    `<script>${file('sortablejs/Sortable.min.js')}</script><style>li { width: 80px; margin: 5px }</style>`,
  );
}

/** The sortable preset, as in its quick start. */
const dndKit = `
import React, { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { DndContext, closestCenter, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';

const h = React.createElement;

function Item({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: transform ? 'translate3d(' + transform.x + 'px,' + transform.y + 'px,0)' : undefined, transition };
  return h('li', { ref: setNodeRef, style, ...attributes, ...listeners }, 'Item ' + id);
}

function App() {
  const [items, setItems] = useState(['A', 'B', 'C', 'D', 'E']);
  const sensors = useSensors(useSensor(PointerSensor), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }));
  const onDragEnd = ({ active, over }) => {
    if (over && active.id !== over.id) setItems((all) => arrayMove(all, all.indexOf(active.id), all.indexOf(over.id)));
  };
  return h(DndContext, { sensors, collisionDetection: closestCenter, onDragEnd },
    h(SortableContext, { items, strategy: verticalListSortingStrategy },
      h('ul', { id: 'one' }, items.map((id) => h(Item, { key: id, id })))));
}

createRoot(document.getElementById('root')).render(h(App));
`;

export function dndKitPage(): string {
  const built = buildSync({
    stdin: { contents: dndKit, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const [script] = built.outputFiles;
  return page(
    'dnd-kit',
    `<div id="root"></div><script>${(script?.text ?? '').replaceAll('</script', '<\\/script')}</script>`,
  );
}

/** HTML5 drag and drop; the half of the target that is dropped on decides between before and after. */
export function nativeListPage(): string {
  return page(
    'HTML5',
    `${lists}<script>
     let dragged;
     for (const item of document.querySelectorAll('li')) item.draggable = true;
     document.addEventListener('dragstart', (event) => { dragged = event.target; event.dataTransfer.setData('text/plain', dragged.textContent) });
     for (const list of document.querySelectorAll('ul')) {
       list.addEventListener('dragover', (event) => event.preventDefault());
       list.addEventListener('drop', (event) => {
         event.preventDefault();
         const item = event.target.closest('li');
         if (item === null) return list.append(dragged);
         const { top, height } = item.getBoundingClientRect();
         item[event.clientY < top + height / 2 ? 'before' : 'after'](dragged);
       });
     }</script>`,
  );
}

/** A board whose cards listen, and whose columns are found by the point of release. */
export function boardPage(): string {
  const column = (id: string, title: string, cards: string): string =>
    `<section class="column ${id}" id="${id}" style="float:left;width:200px;height:200px"><h3>${title}</h3><div>${cards}</div></section>`;
  return page(
    'Board',
    `<div>${column('todo', 'To do', '<div class="card">Write</div>')}${column('done', 'Done', '')}</div><script>
     for (const card of document.querySelectorAll('.card')) card.addEventListener('pointerdown', () => {
       addEventListener('pointerup', (up) => {
         card.hidden = true;
         const column = document.elementFromPoint(up.clientX, up.clientY)?.closest('.column');
         card.hidden = false;
         column?.querySelector('div').append(card);
       }, { once: true });
     })</script>`,
  );
}

/** Draws a line while a button is held; reports where it began, ended and how many moves it had. */
export function canvasPage(): string {
  return page(
    'Canvas',
    `<canvas id="board" width="400" height="300" style="border:1px solid"></canvas><p id="log"></p><script>
     const pen = board.getContext('2d');
     let from, moves;
     board.onpointerdown = (event) => { from = [event.offsetX, event.offsetY]; moves = 0; pen.moveTo(...from) };
     board.onpointermove = (event) => { if (from) { moves++; pen.lineTo(event.offsetX, event.offsetY); pen.stroke() } };
     board.onpointerup = (event) => {
       log.textContent = JSON.stringify({ from: from.map(Math.round), to: [event.offsetX, event.offsetY].map(Math.round), isSmooth: moves >= 5 });
       from = undefined;
     };</script>`,
  );
}
