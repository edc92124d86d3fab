import type { EvalTask } from '../task.ts';

export const frames: readonly EvalTask[] = [
  {
    id: 'payment-frame',
    goal: 'Fill the card form in a frame and pay.',
    body: `<h1>Checkout</h1><p>Total: 49 EUR</p><iframe src="card" title="Card" width="400" height="160"></iframe><p id="state"></p>
<script>
let paid = null;
addEventListener('message', ({ data }) => { paid = data; document.querySelector('#state').textContent = 'Payment accepted'; });
outcome = () => ({ paid });
</script>`,
    documents: {
      card: `<!doctype html><form><label>Card number <input name="number"></label><label>CVC <input name="cvc" size="4"></label><button>Pay</button></form>
<script>document.forms[0].onsubmit = (event) => { event.preventDefault(); const { number, cvc } = event.target.elements; parent.postMessage(number.value + '/' + cvc.value, '*'); };</script>`,
    },
    async run(hands) {
      await hands.type({ role: 'textbox', name: 'Card number' }, '4111');
      await hands.type({ role: 'textbox', name: 'CVC' }, '123');
      await hands.click({ role: 'button', name: 'Pay' });
      await hands.see('Payment accepted');
    },
    expected: { paid: '4111/123' },
  },
  {
    id: 'nested-frames',
    goal: 'Press a button two frames deep.',
    body: `<h1>Portal</h1><iframe src="outer" title="Outer" width="500" height="200"></iframe>
<script>let pressed = 0; addEventListener('message', () => { pressed++; }); outcome = () => ({ pressed });</script>`,
    documents: {
      outer: '<!doctype html><p>Outer</p><iframe src="inner" title="Inner" width="300" height="100"></iframe>',
      inner: `<!doctype html><button onclick="top.postMessage('pressed', '*'); this.textContent = 'Confirmed'">Confirm</button>`,
    },
    async run(hands) {
      await hands.click({ role: 'button', name: 'Confirm' });
      await hands.see('Confirmed');
    },
    expected: { pressed: 1 },
  },
  {
    id: 'shadow-dom',
    goal: 'Use a component with an open shadow root.',
    body: `<h1>Profile</h1><user-name></user-name>
<script>
let saved = null;
customElements.define('user-name', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<label>Nickname <input></label> <button>Save</button> <em></em>';
    root.querySelector('button').onclick = () => { saved = root.querySelector('input').value; root.querySelector('em').textContent = 'Saved as ' + saved; };
  }
});
outcome = () => ({ saved });
</script>`,
    async run(hands) {
      await hands.type({ role: 'textbox', name: 'Nickname' }, 'ada');
      await hands.click({ role: 'button', name: 'Save' });
      await hands.see('Saved as ada');
    },
    expected: { saved: 'ada' },
  },
  {
    id: 'frame-navigation',
    goal: 'Follow a link inside a frame and press the button there.',
    body: `<h1>Docs</h1><iframe src="index" title="Docs" width="400" height="200"></iframe>
<script>let rated = null; addEventListener('message', ({ data }) => { rated = data; }); outcome = () => ({ rated });</script>`,
    documents: {
      index: '<!doctype html><ul><li><a href="install">Install</a></li><li><a href="usage">Usage</a></li></ul>',
      usage: `<!doctype html><h2>Usage</h2><p>Was this helpful?</p><button onclick="parent.postMessage('usage: yes', '*'); this.textContent = 'Thanks'">Yes</button>`,
      install: '<!doctype html><h2>Install</h2>',
    },
    async run(hands) {
      await hands.click({ role: 'link', name: 'Usage' });
      await hands.click({ role: 'button', name: 'Yes' });
      await hands.see('Thanks');
    },
    expected: { rated: 'usage: yes' },
  },
  {
    id: 'scroll-box',
    goal: 'Scroll a box to its end so that the button becomes enabled.',
    body: `<h1>Terms</h1><div id="terms" tabindex="0" role="region" aria-label="Terms" style="height:120px;overflow:auto;border:1px solid #999">${Array.from({ length: 30 }, (_, index) => `<p>Paragraph ${index + 1}.</p>`).join('')}</div><button disabled>I agree</button><p id="state"></p>
<script>
const terms = document.querySelector('#terms'), button = document.querySelector('button');
let agreed = 0;
terms.onscroll = () => { if (terms.scrollTop + terms.clientHeight >= terms.scrollHeight - 5) button.disabled = false; };
button.onclick = () => { agreed++; document.querySelector('#state').textContent = 'Agreed'; };
outcome = () => ({ agreed });
</script>`,
    async run(hands) {
      await hands.scroll({ role: 'region', name: 'Terms' }, 5000);
      await hands.click({ role: 'button', name: 'I agree' });
      await hands.see('Agreed');
    },
    expected: { agreed: 1 },
  },
];
