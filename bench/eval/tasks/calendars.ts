import type { EvalTask } from '../task.ts';

const monthGrid = `
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
let month = 2;
const draw = () => {
  document.querySelector('#title').textContent = months[month] + ' 2027';
  const first = (new Date(Date.UTC(2027, month, 1)).getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(2027, month + 1, 0)).getUTCDate();
  const cells = Array.from({ length: 42 }, (_, i) => { const day = i - first + 1; return day >= 1 && day <= days ? cell(day) : '<td></td>'; });
  document.querySelector('tbody').innerHTML = Array.from({ length: 6 }, (_, i) => '<tr>' + cells.slice(i * 7, i * 7 + 7).join('') + '</tr>').join('');
};`;

export const calendars: readonly EvalTask[] = [
  {
    id: 'date-picker',
    goal: 'Pick a date two months ahead in the jQuery UI date picker.',
    libraries: ['jquery', 'jquery-ui'],
    body: `<h1>Hotel</h1><label>Arrival <input id="arrival"></label>
<script>
$('#arrival').datepicker({ defaultDate: new Date(2027, 2, 10), dateFormat: 'yy-mm-dd' });
outcome = () => ({ date: $('#arrival').val() });
</script>`,
    async run(hands) {
      await hands.click({ role: 'textbox', name: 'Arrival' });
      for (let month = 0; month < 3 && !(await hands.shows('May')); month += 1) await hands.click({ name: 'Next' });
      await hands.click({ name: '18' });
    },
    expected: { date: '2027-05-18' },
  },
  {
    id: 'grid-of-buttons',
    goal: 'Pick a day in a calendar of buttons.',
    body: `<h1>Appointment</h1><button aria-label="Previous month">‹</button> <strong id="title"></strong> <button aria-label="Next month">›</button>
<table><tbody></tbody></table><p id="picked">No date</p>
<script>
const cell = (day) => '<td><button>' + day + '</button></td>';${monthGrid}
let picked = null;
const [back, next] = document.querySelectorAll('button');
back.onclick = () => { month--; draw(); };
next.onclick = () => { month++; draw(); };
document.querySelector('tbody').onclick = (event) => { if (event.target.tagName === 'BUTTON') { picked = months[month] + ' ' + event.target.textContent; document.querySelector('#picked').textContent = 'Picked ' + picked; } };
draw();
outcome = () => ({ picked });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Next month' });
      await hands.see('April');
      await hands.click({ role: 'button', name: '22' });
      await hands.see('Picked April 22');
    },
    expected: { picked: 'April 22' },
  },
  {
    id: 'date-range',
    goal: 'Select a range of days in a calendar of plain cells with listeners.',
    style: `td{cursor:pointer}td.on{background:#bdf}`,
    body: `<h1>Holiday</h1><strong id="title"></strong><table><tbody></tbody></table><p id="range"></p>
<script>
const cell = (day) => '<td data-day="' + day + '">' + day + '</td>';${monthGrid}
let from = null, to = null;
draw();
document.querySelectorAll('td[data-day]').forEach((td) => td.addEventListener('click', () => {
  const day = Number(td.dataset.day);
  if (from === null || to !== null) { from = day; to = null; } else to = day;
  document.querySelectorAll('td[data-day]').forEach((each) => each.classList.toggle('on', Number(each.dataset.day) >= from && Number(each.dataset.day) <= (to ?? from)));
  if (to !== null) document.querySelector('#range').textContent = 'From ' + from + ' to ' + to;
}));
outcome = () => ({ from, to });
</script>`,
    async run(hands) {
      await hands.click({ name: '9' });
      await hands.click({ name: '16' });
      await hands.see('From 9 to 16');
    },
    expected: { from: 9, to: 16 },
  },
  {
    id: 'native-date-time',
    goal: 'Enter a date and a time in native fields.',
    body: `<h1>Reminder</h1><form><p><label>Day <input type="date" name="day"></label></p><p><label>Time <input type="time" name="time"></label></p><button>Set</button></form><p id="set"></p>
<script>
let sent = null;
document.forms[0].onsubmit = (event) => { event.preventDefault(); const { day, time } = event.target.elements; sent = day.value + ' ' + time.value; document.querySelector('#set').textContent = 'Reminder set'; };
outcome = () => ({ sent });
</script>`,
    async run(hands) {
      await hands.type({ role: 'textbox', name: 'Day' }, '2027-03-09');
      await hands.type({ role: 'textbox', name: 'Time' }, '14:30');
      await hands.click({ role: 'button', name: 'Set' });
      await hands.see('Reminder set');
    },
    expected: { sent: '2027-03-09 14:30' },
  },
  {
    id: 'time-slots',
    goal: 'Book the free slot of a weekday in a schedule.',
    style: `.slot{cursor:pointer}.taken{color:#999;pointer-events:none}`,
    body: `<h1>Dentist</h1><table><tr><th></th><th>09:00</th><th>10:00</th><th>11:00</th></tr>${[
      'Monday',
      'Tuesday',
      'Wednesday',
    ]
      .map(
        (day, row) =>
          `<tr><th>${day}</th>${[9, 10, 11].map((hour, column) => (row === column ? `<td><span class="slot" data-slot="${day} ${hour}">free</span></td>` : '<td><span class="taken">taken</span></td>')).join('')}</tr>`,
      )
      .join('')}</table><p id="booked"></p>
<script>
let booked = null;
document.querySelectorAll('.slot').forEach((slot) => slot.addEventListener('click', () => { booked = slot.dataset.slot; document.querySelector('#booked').textContent = 'Booked ' + booked; }));
outcome = () => ({ booked });
</script>`,
    async run(hands) {
      await hands.click({ name: 'free', in: 'Tuesday' });
      await hands.see('Booked Tuesday 10');
    },
    expected: { booked: 'Tuesday 10' },
  },
];
