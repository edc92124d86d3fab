import type { EvalTask } from '../task.ts';

const saved = `<p id="saved"></p>`;
/** Reads all fields of a form by name when it is sent. */
const onSubmit = `<script>
let sent = null;
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const data = new FormData(event.target);
  sent = Object.fromEntries([...new Set(data.keys())].map((key) => [key, data.getAll(key).join(',')]));
  document.querySelector('#saved').textContent = 'Thank you. We have received your details.';
});
outcome = () => ({ sent });
</script>`;

export const forms: readonly EvalTask[] = [
  {
    id: 'contact',
    goal: 'Send the contact form.',
    body: `<h1>Contact us</h1><form><p><label>Full name <input name="name" required></label></p>
<p><label>Email <input name="email" type="email" required></label></p>
<p><label>Message <textarea name="message"></textarea></label></p><button>Send message</button></form>${saved}${onSubmit}`,
    async run(hands) {
      await hands.type({ role: 'textbox', name: 'Full name' }, 'Ada Berg');
      await hands.type({ role: 'textbox', name: 'Email' }, 'ada@example.com');
      await hands.type({ role: 'textbox', name: 'Message' }, 'Please call me back.');
      await hands.click({ role: 'button', name: 'Send message' });
      await hands.see('We have received your details');
    },
    expected: { sent: { name: 'Ada Berg', email: 'ada@example.com', message: 'Please call me back.' } },
  },
  {
    id: 'order-form',
    goal: 'Fill all kinds of fields at once and place the order.',
    body: `<h1>Order a pizza</h1><form><fieldset><legend>Size</legend>
<label><input type="radio" name="size" value="s"> Small</label> <label><input type="radio" name="size" value="l"> Large</label></fieldset>
<fieldset><legend>Toppings</legend><label><input type="checkbox" name="top" value="olives"> Olives</label>
<label><input type="checkbox" name="top" value="ham"> Ham</label> <label><input type="checkbox" name="top" value="corn"> Corn</label></fieldset>
<p><label>Delivery <select name="delivery"><option value="pickup">Pick up</option><option value="home">Home delivery</option></select></label></p>
<p><label>Notes <input name="notes"></label></p><button>Place order</button></form>${saved}${onSubmit}`,
    async run(hands) {
      await hands.fillForm([
        { role: 'radio', name: 'Large', type: 'radio', value: 'true' },
        { role: 'checkbox', name: 'Olives', type: 'checkbox', value: 'true' },
        { role: 'checkbox', name: 'Corn', type: 'checkbox', value: 'true' },
        { role: 'combobox', name: 'Delivery', type: 'combobox', value: 'Home delivery' },
        { role: 'textbox', name: 'Notes', type: 'textbox', value: 'Ring twice' },
      ]);
      await hands.click({ role: 'button', name: 'Place order' });
      await hands.see('Thank you');
    },
    expected: { sent: { size: 'l', top: 'olives,corn', delivery: 'home', notes: 'Ring twice' } },
  },
  {
    id: 'rejected-once',
    goal: 'Correct the field that the form rejects.',
    body: `<h1>Create account</h1><form novalidate><p><label>User name <input name="user"></label></p>
<p><label>Password <input name="password" type="password"></label> <span id="hint" role="alert"></span></p><button>Sign up</button></form>${saved}
<script>
let sent = null;
document.querySelector('form').onsubmit = (event) => {
  event.preventDefault();
  const { user, password } = event.target.elements;
  if (!/\\d/.test(password.value)) { document.querySelector('#hint').textContent = 'The password must contain a digit'; return; }
  document.querySelector('#hint').textContent = '';
  sent = user.value + ':' + password.value;
  document.querySelector('#saved').textContent = 'Welcome, ' + user.value;
};
outcome = () => ({ sent });
</script>`,
    async run(hands) {
      await hands.type({ role: 'textbox', name: 'User name' }, 'ada');
      await hands.type({ role: 'textbox', name: 'Password' }, 'lovelace');
      await hands.click({ role: 'button', name: 'Sign up' });
      if (await hands.shows('must contain a digit')) {
        await hands.type({ role: 'textbox', name: 'Password' }, 'lovelace1');
        await hands.click({ role: 'button', name: 'Sign up' });
      }
      await hands.see('Welcome, ada');
    },
    expected: { sent: 'ada:lovelace1' },
  },
  {
    id: 'dependent-select',
    goal: 'Select a country, then a city that is loaded for it.',
    body: `<h1>Shipping</h1><form><p><label>Country <select name="country"><option value="">Choose</option><option>Norway</option><option>Peru</option></select></label></p>
<p><label>City <select name="city" disabled></select></label></p><button>Continue</button></form>${saved}${onSubmit}
<script>
const cities = { Norway: ['Oslo', 'Bergen'], Peru: ['Lima', 'Cusco'] };
const { country, city } = document.forms[0].elements;
country.onchange = () => setTimeout(() => {
  city.replaceChildren(...cities[country.value].map((name) => new Option(name)));
  city.disabled = false;
}, 120);
</script>`,
    async run(hands) {
      await hands.select({ role: 'combobox', name: 'Country' }, 'Peru');
      await hands.see('Cusco');
      await hands.select({ role: 'combobox', name: 'City' }, 'Cusco');
      await hands.click({ role: 'button', name: 'Continue' });
      await hands.see('Thank you');
    },
    expected: { sent: { country: 'Peru', city: 'Cusco' } },
  },
  {
    id: 'multi-select',
    goal: 'Select three options of a list box.',
    body: `<h1>Interests</h1><form><label>Topics <select name="topics" multiple size="6"><option>Art</option><option>Biology</option><option>Chess</option><option>Dance</option><option>Economics</option></select></label>
<button>Save</button></form>${saved}${onSubmit}`,
    async run(hands) {
      await hands.select({ role: 'listbox', name: 'Topics' }, 'Art', 'Chess', 'Dance');
      await hands.click({ role: 'button', name: 'Save' });
      await hands.see('Thank you');
    },
    expected: { sent: { topics: 'Art,Chess,Dance' } },
  },
  {
    id: 'switches',
    goal: 'Turn two custom switches on and one off.',
    style: `.switch{display:inline-block;width:40px;height:20px;border-radius:10px;background:#bbb}.switch[aria-checked=true]{background:#2a7}`,
    body: `<h1>Notifications</h1>${['Email', 'SMS', 'Push'].map((name, index) => `<p>${name} <span class="switch" role="switch" tabindex="0" aria-label="${name}" aria-checked="${index === 2}"></span></p>`).join('')}
<script>
document.querySelectorAll('.switch').forEach((box) => { box.onclick = () => box.setAttribute('aria-checked', box.getAttribute('aria-checked') !== 'true'); });
outcome = () => ({ on: [...document.querySelectorAll('.switch')].map((box) => box.getAttribute('aria-checked')).join() });
</script>`,
    async run(hands) {
      for (const name of ['Email', 'SMS', 'Push']) await hands.toggle({ role: 'switch', name });
    },
    expected: { on: 'true,true,false' },
  },
  {
    id: 'unlabelled-fields',
    goal: 'Fill fields that have no labels of their own, only text beside them.',
    body: `<h1>Address</h1><form><table><tr><td>Street</td><td><input name="street"></td></tr><tr><td>Town</td><td><input name="town"></td></tr></table>
<button>Save address</button></form>${saved}${onSubmit}`,
    async run(hands) {
      await hands.type({ role: 'textbox', in: 'Street' }, 'Hill Road 5');
      await hands.type({ role: 'textbox', in: 'Town' }, 'Porto');
      await hands.click({ role: 'button', name: 'Save address' });
      await hands.see('Thank you');
    },
    expected: { sent: { street: 'Hill Road 5', town: 'Porto' } },
  },
  {
    id: 'code-boxes',
    goal: 'Enter a code in four boxes of one digit each.',
    body: `<h1>Enter the code</h1><p>We sent the code 4 8 1 5 to your phone.</p>
<div>${[1, 2, 3, 4].map((index) => `<input maxlength="1" size="1" aria-label="Digit ${index}">`).join(' ')}</div><p id="saved"></p>
<script>
const boxes = [...document.querySelectorAll('input')];
boxes.forEach((box, index) => { box.oninput = () => {
  boxes[index + 1]?.focus();
  if (boxes.every(({ value }) => value)) document.querySelector('#saved').textContent = 'Code accepted';
}; });
outcome = () => ({ code: boxes.map(({ value }) => value).join('') });
</script>`,
    async run(hands) {
      for (const [index, digit] of ['4', '8', '1', '5'].entries())
        await hands.type({ role: 'textbox', name: `Digit ${index + 1}` }, digit);
      await hands.see('Code accepted');
    },
    expected: { code: '4815' },
  },
];
