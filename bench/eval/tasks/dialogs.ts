import type { EvalTask } from '../task.ts';

export const dialogs: readonly EvalTask[] = [
  {
    id: 'confirm',
    goal: 'Delete the account and accept the confirmation.',
    body: `<h1>Account</h1><button>Delete account</button><p id="state">Active</p>
<script>
document.querySelector('button').onclick = () => { if (confirm('Delete your account for good?')) document.querySelector('#state').textContent = 'Deleted'; };
outcome = () => ({ state: document.querySelector('#state').textContent });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Delete account' });
      await hands.dialog(true);
      await hands.see('Deleted');
    },
    expected: { state: 'Deleted' },
  },
  {
    id: 'prompt',
    goal: 'Enter a name in a prompt.',
    body: `<h1>Game</h1><button>New player</button><ul></ul>
<script>
const names = [];
document.querySelector('button').onclick = () => { const name = prompt('Name of the player?'); if (name) { names.push(name); document.querySelector('ul').innerHTML += '<li>' + name + '</li>'; } };
outcome = () => ({ names });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'New player' });
      await hands.dialog(true, 'Ada');
      await hands.see('Ada');
    },
    expected: { names: ['Ada'] },
  },
  {
    id: 'modal',
    goal: 'Fill a field in a modal dialog and save it.',
    body: `<h1>Team</h1><button id="open">Invite</button><dialog><form method="dialog"><h2>Invite a member</h2><label>Email <input></label><button value="cancel">Cancel</button><button value="ok">Send invitation</button></form></dialog><p id="state"></p>
<script>
const dialog = document.querySelector('dialog');
let invited = null;
document.querySelector('#open').onclick = () => dialog.showModal();
dialog.onclose = () => { if (dialog.returnValue === 'ok') { invited = dialog.querySelector('input').value; document.querySelector('#state').textContent = 'Invited ' + invited; } };
outcome = () => ({ invited });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Invite' });
      await hands.type({ role: 'textbox', name: 'Email' }, 'ben@example.com');
      await hands.click({ role: 'button', name: 'Send invitation' });
      await hands.see('Invited ben@example.com');
    },
    expected: { invited: 'ben@example.com' },
  },
  {
    id: 'faded-modal',
    goal: 'Confirm in a modal that jQuery fades in.',
    libraries: ['jquery'],
    style: `#shade{display:none;position:fixed;inset:0;background:#0008}#box{margin:80px auto;width:300px;background:#fff;padding:16px}`,
    body: `<h1>Cart</h1><button id="empty">Empty cart</button><div id="shade"><div id="box"><h2>Are you sure?</h2><button id="yes">Yes, empty it</button> <button id="no">No</button></div></div><p id="state">3 items</p>
<script>
$('#empty').on('click', () => $('#shade').fadeIn(300));
$('#yes').on('click', () => { $('#shade').fadeOut(300); $('#state').text('Your cart is empty'); });
$('#no').on('click', () => $('#shade').fadeOut(300));
outcome = () => ({ state: $('#state').text() });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Empty cart' });
      await hands.click({ role: 'button', name: 'Yes, empty it' });
      await hands.see('Your cart is empty');
    },
    expected: { state: 'Your cart is empty' },
  },
  {
    id: 'cookie-banner',
    goal: 'Reject cookies, then press the button that the banner covers.',
    style: `#banner{position:fixed;inset:auto 0 0 0;height:60vh;background:#fff;border-top:2px solid #333;padding:16px}`,
    body: `<div style="height:55vh"><h1>News</h1></div><button id="subscribe">Subscribe</button><div id="banner"><h2>We value your privacy</h2><button>Accept all</button> <button>Reject all</button></div><p id="state"></p>
<script>
let choice = null, subscribed = 0;
document.querySelectorAll('#banner button').forEach((button) => { button.onclick = () => { choice = button.textContent; document.querySelector('#banner').remove(); }; });
document.querySelector('#subscribe').onclick = () => { subscribed++; document.querySelector('#state').textContent = 'You are subscribed'; };
outcome = () => ({ choice, subscribed });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Reject all' });
      await hands.click({ role: 'button', name: 'Subscribe' });
      await hands.see('You are subscribed');
    },
    expected: { choice: 'Reject all', subscribed: 1 },
  },
  {
    id: 'undo-toast',
    goal: 'Archive a message and undo it in the toast.',
    style: `#toast{position:fixed;bottom:10px;left:10px;background:#333;color:#fff;padding:10px}#toast a{color:#9cf;cursor:pointer}`,
    body: `<h1>Inbox</h1><ul><li>Invoice <button>Archive</button></li><li>Meeting <button>Archive</button></li></ul>
<script>
const log = [];
document.querySelectorAll('li button').forEach((button) => { button.onclick = () => {
  const item = button.parentNode, name = item.firstChild.data.trim();
  log.push('archive ' + name);
  item.style.display = 'none';
  const toast = document.createElement('div');
  toast.id = 'toast';
  toast.innerHTML = 'Archived. <a>Undo</a>';
  toast.querySelector('a').addEventListener('click', () => { log.push('undo ' + name); item.style.display = ''; toast.remove(); });
  document.body.append(toast);
}; });
outcome = () => ({ log });
</script>`,
    async run(hands) {
      await hands.click({ role: 'button', name: 'Archive', in: 'Meeting' });
      await hands.click({ name: 'Undo' });
    },
    expected: { log: ['archive Meeting', 'undo Meeting'] },
  },
];
