import type { EvalTask } from '../task.ts';

export const icons: readonly EvalTask[] = [
  {
    id: 'icon-buttons',
    goal: 'Press an icon that has only a title.',
    style: `.icon{display:inline-block;width:20px;height:20px;background:#ccc;cursor:pointer;margin:2px}`,
    body: `<h1>Photo</h1>${['Rotate', 'Crop', 'Delete'].map((name) => `<i class="icon" title="${name}"></i>`).join('')}
<script>
const pressed = [];
document.querySelectorAll('.icon').forEach((icon) => icon.addEventListener('click', () => pressed.push(icon.title)));
outcome = () => ({ pressed });
</script>`,
    async run(hands) {
      await hands.click({ name: 'Crop' });
    },
    expected: { pressed: ['Crop'] },
  },
  {
    id: 'icon-classes',
    goal: 'Press an icon known only by its class.',
    style: `.fa{display:inline-block;width:20px;height:20px;background:#9bc;margin:4px}`,
    body: `<h1>Message from Ben</h1><p>See you tomorrow.</p><span class="fa fa-reply"></span><span class="fa fa-trash"></span>
<script>
const pressed = [];
document.querySelectorAll('.fa').forEach((icon) => icon.addEventListener('click', () => pressed.push(icon.className)));
outcome = () => ({ pressed });
</script>`,
    async run(hands) {
      await hands.click({ name: /trash/ });
    },
    expected: { pressed: ['fa fa-trash'] },
  },
  {
    id: 'image-link',
    goal: 'Press an image known only by its file name.',
    body: `<h1>Pay with</h1>${['visa', 'paypal', 'giro'].map((name) => `<img src="${name}.svg" width="60" height="40" style="cursor:pointer">`).join(' ')}
<script>
let paid = null;
document.querySelectorAll('img').forEach((image) => image.addEventListener('click', () => { paid = image.getAttribute('src'); }));
outcome = () => ({ paid });
</script>`,
    documents: Object.fromEntries(['visa', 'paypal', 'giro'].map((name) => [`${name}.svg`, ''])),
    async run(hands) {
      await hands.click({ name: /paypal/ });
    },
    expected: { paid: 'paypal.svg' },
  },
  {
    id: 'two-spans',
    goal: 'Press one of two texts in one line that both have listeners.',
    body: `<h1>Mail</h1><div style="cursor:pointer"><span id="reply">Reply</span> <span id="forward">Forward</span></div>
<script>
const pressed = [];
for (const id of ['reply', 'forward']) document.getElementById(id).addEventListener('click', () => pressed.push(id));
outcome = () => ({ pressed });
</script>`,
    async run(hands) {
      await hands.click({ name: 'Forward' });
    },
    expected: { pressed: ['forward'] },
  },
  {
    id: 'svg-shape',
    goal: 'Press a region of an SVG map.',
    body: `<h1>Map</h1><svg width="300" height="120"><rect id="north" x="10" y="10" width="80" height="80" fill="#8c8"></rect><text x="30" y="55">North</text><rect id="south" x="110" y="10" width="80" height="80" fill="#c88"></rect><text x="130" y="55">South</text></svg><p id="state"></p>
<script>
let region = null;
document.querySelectorAll('rect, text').forEach((shape) => shape.addEventListener('click', () => { region = shape.id || shape.textContent.toLowerCase(); document.querySelector('#state').textContent = 'Region: ' + region; }));
outcome = () => ({ region });
</script>`,
    async run(hands) {
      await hands.click({ name: /South/i });
      await hands.see('Region: south');
    },
    expected: { region: 'south' },
  },
  {
    id: 'canvas-click',
    goal: 'Click a point of a canvas.',
    body: `<h1>Darts</h1><canvas width="200" height="200" aria-label="Board" role="img" style="border:1px solid"></canvas><p id="state"></p>
<script>
const hits = [];
document.querySelector('canvas').addEventListener('click', (event) => { hits.push([Math.round(event.offsetX), Math.round(event.offsetY)]); document.querySelector('#state').textContent = 'Darts: ' + hits.length; });
outcome = () => ({ near: hits.length === 1 && Math.abs(hits[0][0] - 50) <= 2 && Math.abs(hits[0][1] - 150) <= 2 });
</script>`,
    async run(hands) {
      await hands.clickAt({ name: 'Board' }, { x: 50, y: 150 });
      await hands.see('Darts: 1');
    },
    expected: { near: true },
  },
  {
    id: 'canvas-draw',
    goal: 'Draw a line on a canvas.',
    body: `<h1>Sign here</h1><canvas width="300" height="100" aria-label="Signature" role="img" style="border:1px solid"></canvas><button>Clear</button>
<script>
const canvas = document.querySelector('canvas'), context = canvas.getContext('2d');
let points = 0, last = null, width = 0;
canvas.onpointerdown = (event) => { last = event; };
canvas.onpointermove = (event) => { if (!last) return; context.beginPath(); context.moveTo(last.offsetX, last.offsetY); context.lineTo(event.offsetX, event.offsetY); context.stroke(); width += event.offsetX - last.offsetX; last = event; points++; };
addEventListener('pointerup', () => { last = null; });
document.querySelector('button').onclick = () => context.clearRect(0, 0, 300, 100);
outcome = () => ({ isDrawn: points >= 2 && Math.abs(width - 150) <= 3 });
</script>`,
    async run(hands) {
      await hands.dragInside({ name: 'Signature' }, { x: 50, y: 50 }, { x: 150, y: 0 });
    },
    expected: { isDrawn: true },
  },
  {
    id: 'color-swatches',
    goal: 'Choose a color among boxes with titles.',
    style: `.swatch{display:inline-block;width:24px;height:24px;cursor:pointer}`,
    body: `<h1>T-shirt</h1><div>${['red', 'green', 'blue'].map((color) => `<span class="swatch" style="background:${color}" data-color="${color}"></span>`).join('')}</div><p>Color: <b id="color">none</b></p>
<script>
document.querySelectorAll('.swatch').forEach((box) => box.addEventListener('click', () => { document.querySelector('#color').textContent = box.dataset.color; }));
outcome = () => ({ color: document.querySelector('#color').textContent });
</script>`,
    async run(hands) {
      await hands.click({ name: /green|rgb\(0, ?128, ?0\)|#008000/ });
      await hands.see('green');
    },
    expected: { color: 'green' },
  },
];
