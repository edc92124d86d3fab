import type { EvalTask } from '../task.ts';

export const text: readonly EvalTask[] = [
  {
    id: 'bold-word',
    goal: 'Make one word bold in a rich text editor.',
    body: `<h1>Editor</h1><button onmousedown="event.preventDefault()" onclick="document.execCommand('bold')">Bold</button>
<div id="editor" contenteditable="true" role="textbox" aria-label="Text" style="border:1px solid #999;padding:8px">The quick brown fox</div>
<script>outcome = () => ({ bold: [...document.querySelectorAll('#editor b, #editor strong')].map((each) => each.textContent) });</script>`,
    async run(hands) {
      await hands.selectText({ role: 'textbox', name: 'Text' }, 'brown');
      await hands.click({ role: 'button', name: 'Bold' });
    },
    expected: { bold: ['brown'] },
  },
  {
    id: 'replace-word',
    goal: 'Replace a word in a text area and keep the rest.',
    body: `<h1>Letter</h1><label>Letter <textarea rows="4" cols="40">Dear Ben, see you on Monday at noon.</textarea></label>
<script>outcome = () => ({ value: document.querySelector('textarea').value });</script>`,
    async run(hands) {
      const letter = await hands.read(/(Dear Ben, see you on Monday at noon\.)/);
      await hands.type({ role: 'textbox', name: 'Letter' }, letter.replace('Monday', 'Friday'));
    },
    expected: { value: 'Dear Ben, see you on Friday at noon.' },
  },
  {
    id: 'delete-selection',
    goal: 'Delete a phrase in an editor by selecting it.',
    body: `<h1>Story</h1><div contenteditable="true" role="textbox" aria-label="Story" style="border:1px solid #999">It was a dark and stormy night.</div>
<script>outcome = () => ({ text: document.querySelector('[contenteditable]').textContent.replaceAll('\\u00a0', ' ') });</script>`,
    async run(hands) {
      await hands.selectText({ role: 'textbox', name: 'Story' }, ' and stormy');
      await hands.press('Delete');
    },
    expected: { text: 'It was a dark night.' },
  },
  {
    id: 'append-line',
    goal: 'Add an item at the end of a note.',
    body: `<h1>Shopping</h1><label>List <textarea rows="5">milk
bread</textarea></label>
<script>outcome = () => ({ value: document.querySelector('textarea').value });</script>`,
    async run(hands) {
      await hands.click({ role: 'textbox', name: 'List' });
      await hands.press('Control+End');
      await hands.press('Enter');
      for (const key of 'eggs') await hands.press(key);
    },
    expected: { value: 'milk\nbread\neggs' },
  },
  {
    id: 'tags',
    goal: 'Add two tags, each confirmed with Enter, and remove another.',
    body: `<h1>Tags</h1><div id="tags"></div><input placeholder="Add a tag">
<script>
const tags = ['draft'];
const draw = () => { document.querySelector('#tags').innerHTML = tags.map((tag) => '<span class="tag">' + tag + ' <button aria-label="Remove ' + tag + '">×</button></span>').join(' '); };
document.querySelector('input').addEventListener('keydown', (event) => { if (event.key === 'Enter' && event.target.value) { tags.push(event.target.value); event.target.value = ''; draw(); } });
document.querySelector('#tags').onclick = (event) => { const label = event.target.getAttribute('aria-label'); if (label) { tags.splice(tags.indexOf(label.slice(7)), 1); draw(); } };
draw();
outcome = () => ({ tags });
</script>`,
    async run(hands) {
      await hands.type({ role: 'textbox', name: 'Add a tag' }, 'news', { submit: true });
      await hands.type({ role: 'textbox', name: 'Add a tag' }, 'sport', { submit: true });
      await hands.click({ role: 'button', name: 'Remove draft' });
    },
    expected: { tags: ['news', 'sport'] },
  },
  {
    id: 'copy-paste',
    goal: 'Copy a value from one field to another with the keyboard.',
    body: `<h1>Codes</h1><p><label>Source <input value="X7-Q29" readonly></label></p><p><label>Target <input></label></p>
<script>
const [source, target] = document.querySelectorAll('input');
let pasted = 0;
target.addEventListener('paste', () => { pasted++; });
outcome = () => ({ value: target.value, pasted });
</script>`,
    async run(hands) {
      await hands.click({ role: 'textbox', name: 'Source' });
      await hands.press('Control+a');
      await hands.press('Control+c');
      await hands.click({ role: 'textbox', name: 'Target' });
      await hands.press('Control+v');
    },
    expected: { value: 'X7-Q29', pasted: 1 },
  },
  {
    id: 'rename',
    goal: 'Rename a heading that is edited in place.',
    body: `<h1 id="title" tabindex="0" style="cursor:text">Untitled document</h1><p>Click the title to rename it.</p>
<script>
const title = document.querySelector('#title');
title.addEventListener('click', () => {
  if (title.querySelector('input')) return;
  const input = document.createElement('input');
  input.value = title.textContent;
  input.setAttribute('aria-label', 'Title');
  title.replaceChildren(input);
  input.focus();
  input.onblur = () => { title.textContent = input.value; };
  input.onkeydown = (event) => { if (event.key === 'Enter') input.blur(); };
});
outcome = () => ({ title: title.textContent });
</script>`,
    async run(hands) {
      await hands.click({ name: 'Untitled document' });
      await hands.type({ role: 'textbox', name: 'Title' }, 'Annual report', { submit: true });
      await hands.see('Annual report');
    },
    expected: { title: 'Annual report' },
  },
];
