import type { EvalTask } from '../task.ts';

export const sliders: readonly EvalTask[] = [
  {
    id: 'native-range',
    goal: 'Set the volume to 8 with the keyboard.',
    body: `<h1>Sound</h1><label>Volume <input type="range" min="0" max="10" value="5"></label> <output>5</output>
<script>
const range = document.querySelector('input');
range.oninput = () => { document.querySelector('output').textContent = range.value; };
outcome = () => ({ volume: range.value });
</script>`,
    async run(hands) {
      await hands.click({ role: 'slider', name: 'Volume' });
      await hands.press('ArrowRight', 3);
      await hands.see('8');
    },
    expected: { volume: '8' },
  },
  {
    id: 'range-by-form',
    goal: 'Set a budget of 350 with the form tool.',
    body: `<h1>Search flats</h1><label>Budget <input type="range" min="0" max="1000" step="50" value="100"></label> <output>100</output><button>Apply</button>
<script>
const range = document.querySelector('input');
let applied = null;
range.oninput = () => { document.querySelector('output').textContent = range.value; };
document.querySelector('button').onclick = () => { applied = range.value; };
outcome = () => ({ applied });
</script>`,
    async run(hands) {
      await hands.fillForm([{ role: 'slider', name: 'Budget', type: 'slider', value: '350' }]);
      await hands.click({ role: 'button', name: 'Apply' });
    },
    expected: { applied: '350' },
  },
  {
    id: 'custom-slider',
    goal: 'Set a custom slider by arrow keys.',
    style: `.track{width:200px;height:6px;background:#ccc;position:relative}.thumb{position:absolute;top:-7px;width:20px;height:20px;border-radius:10px;background:#36c}`,
    body: `<h1>Display</h1><div class="track"><div class="thumb" role="slider" tabindex="0" aria-label="Brightness" aria-valuemin="0" aria-valuemax="100" aria-valuenow="40" style="left:80px"></div></div><p id="value">40 %</p>
<script>
const thumb = document.querySelector('.thumb');
let value = 40;
thumb.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 5, ArrowLeft: -5, PageUp: 20, PageDown: -20 }[event.key];
  if (step === undefined) return;
  value = Math.max(0, Math.min(100, value + step));
  thumb.setAttribute('aria-valuenow', value);
  thumb.style.left = value * 2 + 'px';
  document.querySelector('#value').textContent = value + ' %';
});
outcome = () => ({ value });
</script>`,
    async run(hands) {
      await hands.click({ role: 'slider', name: 'Brightness' });
      await hands.press('PageUp');
      await hands.press('ArrowRight', 3);
      await hands.see('75 %');
    },
    expected: { value: 75 },
  },
  {
    id: 'jquery-slider',
    goal: 'Drag the handle of a jQuery UI slider by 100 pixels, from 20 to 70.',
    libraries: ['jquery', 'jquery-ui'],
    style: `#slider{width:200px;height:10px;background:#ddd;position:relative}.ui-slider-handle{position:absolute;top:-5px;width:20px;height:20px;margin-left:-10px;background:#36c}`,
    body: `<h1>Summer sale</h1><div id="slider"></div><p id="value">20</p>
<script>
$('#slider').slider({ value: 20, min: 0, max: 100, slide: (event, ui) => $('#value').text(ui.value) });
$('.ui-slider-handle').attr('title', 'Discount');
outcome = () => ({ value: $('#slider').slider('value') });
</script>`,
    async run(hands) {
      await hands.dragBy({ name: 'Discount' }, { x: 100, y: 0 });
      await hands.see('70');
    },
    expected: { value: 70 },
  },
  {
    id: 'stepper',
    goal: 'Raise the number of guests to 5 with the plus button.',
    body: `<h1>Table for</h1><button>−</button> <span id="count">2</span> guests <button>+</button> <button>Reserve</button>
<script>
let count = 2, reserved = null;
const [minus, plus, reserve] = document.querySelectorAll('button');
const draw = () => { document.querySelector('#count').textContent = count; };
minus.onclick = () => { count--; draw(); };
plus.onclick = () => { count++; draw(); };
reserve.onclick = () => { reserved = count; };
outcome = () => ({ reserved });
</script>`,
    async run(hands) {
      for (let count = 2; count < 5; count += 1) await hands.toggle({ role: 'button', name: '+' });
      await hands.click({ role: 'button', name: 'Reserve' });
    },
    expected: { reserved: 5 },
  },
  {
    id: 'rating',
    goal: 'Rate with four stars.',
    style: `.star{cursor:pointer;font-size:24px}`,
    body: `<h1>Your rating</h1><div>${[1, 2, 3, 4, 5].map((value) => `<span class="star" title="${value} stars">☆</span>`).join('')}</div>
<script>
let rating = 0;
const stars = [...document.querySelectorAll('.star')];
stars.forEach((star, index) => star.addEventListener('click', () => { rating = index + 1; stars.forEach((each, at) => { each.textContent = at <= index ? '★' : '☆'; }); }));
outcome = () => ({ rating });
</script>`,
    async run(hands) {
      await hands.click({ name: '4 stars' });
    },
    expected: { rating: 4 },
  },
];
