import { each } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

const form = `<title>Form</title><h1>Form</h1>
<button id="go" onclick="out.textContent = 'clicked ' + event.button + ' ' + event.detail + ' ' + event.shiftKey">Go</button>
<button id="gone" onclick="this.remove()">Remove me</button><button disabled>Disabled</button>
<button data-testid="save">Save</button><a href="/target">To the target</a>
<label>Name <input id="name" oninput="out.textContent = this.value"></label><input placeholder="Hint"><input id="plain">
<label><input type="checkbox" id="box"> Agree</label>
<label><input type="radio" name="r" value="1"> One</label><label><input type="radio" name="r" value="2"> Two</label>
<label>Color <select id="color"><option value="r">Red</option><option value="g">Green</option></select></label>
<label>Many <select id="many" multiple><option>A</option><option>B</option><option>C</option></select></label>
<label>Volume <input id="volume" type="range" min="0" max="10"></label>
<form onsubmit="out.textContent = 'sent'; return false"><input aria-label="Search"></form>
<ul aria-label="Fruit"><li>Apple</li><li>Pear</li></ul><p id="out">-</p><div style="height: 2000px"></div><button>Below</button>`;

const dragged = `<title>Drag</title><div id="a" draggable="true" style="width:60px;height:40px">Card</div>
<div id="b" style="width:200px;height:100px" ondragover="event.preventDefault()" ondrop="this.textContent = 'dropped'">Here</div>
<div id="c" style="width:200px;height:60px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); const t = event.dataTransfer; this.textContent = t.getData('text/plain') || [...t.files].map(f => f.name).join()">Drop zone</div>`;

const framed = '<title>Frames</title><h1>Outside</h1><iframe title="Inner" src="/frame"></iframe>';

const clicks: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a ref': { target: '{{ref:button "Go"}}' },
  'a ref with a description': { target: '{{ref:button "Go"}}', element: 'The go button' },
  'a selector': { target: '#go' },
  'a role selector': { target: "getByRole('button', { name: 'Go' })" },
  'a test id': { target: '{{ref:button "Save"}}' },
  'a text selector': { target: 'text=Save' },
  'an xpath': { target: '//button[1]' },
  'with the right button': { target: '#go', button: 'right' },
  'with the middle button': { target: '#go', button: 'middle' },
  twice: { target: '#go', doubleClick: true },
  'with Shift': { target: '#go', modifiers: ['Shift'] },
  'with several modifiers': { target: '#go', modifiers: ['Control', 'Alt'] },
  'with ControlOrMeta': { target: '#go', modifiers: ['ControlOrMeta'] },
  'with all options': { target: '#go', button: 'right', modifiers: ['Shift'], doubleClick: true },
  'an unnamed field': { target: '#plain' },
  'a field with a placeholder': { target: '[placeholder=Hint]' },
  'a list item': { target: '{{ref:listitem}}' },
  'below the fold': { target: '{{ref:button "Below"}}' },
  'an element that removes itself': { target: '#gone' },
  'a checkbox': { target: '{{ref:checkbox}}' },
  'an unknown ref': { target: 'e999' },
  'an unknown frame ref': { target: 'f9e1' },
  'an unknown selector': { target: '#nothing' },
  'a bad selector': { target: 'div[[' },
  'an ambiguous selector': { target: 'button' },
  'a disabled button': { target: '{{ref:button "Disabled"}}' },
  'an unknown argument': { target: '#go', speed: 3 },
};

const wrongClicks: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'no arguments': {},
  'a number as target': { target: 5 },
  'an unknown button': { target: '#go', button: 'fourth' },
  'an unknown modifier': { target: '#go', modifiers: ['Hyper'] },
  'modifiers that are no list': { target: '#go', modifiers: 'Shift' },
  'null as target': { target: null },
};

const typed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'into a named field': { target: '{{ref:textbox "Name"}}', text: 'Ada' },
  'into an unnamed field': { target: '#plain', text: 'x' },
  'into a field with a placeholder': { target: '{{ref:textbox "Hint"}}', text: 'y' },
  'with quotes': { target: '#name', text: `it's "quoted"` },
  'with a line break': { target: '#name', text: 'a\nb' },
  slowly: { target: '#name', text: 'abc', slowly: true },
  'and submit': { target: '{{ref:textbox "Search"}}', text: 'cats', submit: true },
  'slowly and submit': { target: '{{ref:textbox "Search"}}', text: 'dogs', slowly: true, submit: true },
  'an empty text': { target: '#name', text: '' },
  'with a description': { target: '#name', element: 'Name field', text: 'Bob' },
  unicode: { target: '#name', text: 'Grüße 你好 🎉' },
  'a backslash': { target: '#name', text: 'C:\\temp' },
  'into a button': { target: '#go', text: 'x' },
  'into a checkbox': { target: '#box', text: 'x' },
  'an unknown ref': { target: 'e998', text: 'x' },
  'without a text': { target: '#name' },
  'a number as text': { target: '#name', text: 5 },
};

const keys = [
  'a',
  'Enter',
  'ArrowLeft',
  'Control+a',
  'Shift+Tab',
  'Escape',
  'F5',
  'Nonsense',
  '',
  "'",
  'ControlOrMeta+c',
  'é',
];

const selected: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'by label': { target: '#color', values: ['Green'] },
  'by value': { target: '#color', values: ['g'] },
  'a ref': { target: '{{ref:combobox}}', values: ['Red'] },
  several: { target: '#many', values: ['A', 'C'] },
  'none of several': { target: '#many', values: [] },
  'an unknown option': { target: '#color', values: ['Blue'] },
  'in a field that is no select': { target: '#name', values: ['x'] },
  'without values': { target: '#color' },
};

const field = (target: string, type: string, value: string, name = 'Field') => ({ target, type, value, name });
const forms: Readonly<Record<string, readonly unknown[]>> = {
  'a text': [field('#name', 'textbox', 'Ada')],
  'a checkbox': [field('#box', 'checkbox', 'true')],
  'a checkbox off': [field('#box', 'checkbox', 'false')],
  'a radio button': [field('{{ref:radio "Two"}}', 'radio', 'true')],
  'a combobox': [field('#color', 'combobox', 'Green')],
  'a slider': [field('#volume', 'slider', '7')],
  'several fields': [
    field('#name', 'textbox', 'Grace', 'Name'),
    field('{{ref:checkbox}}', 'checkbox', 'true', 'Agree'),
    field('#color', 'combobox', 'Red', 'Color'),
  ],
  'a value that the slider refuses': [field('#volume', 'slider', '99')],
  'an unknown option': [field('#color', 'combobox', 'Blue')],
  'an unknown ref': [field('e997', 'textbox', 'x')],
  'an unknown type': [field('#name', 'text', 'x')],
  'no fields': [],
};

export const actionScenarios: readonly Scenario[] = [
  ...each(clicks, (args) => ({ page: form, steps: [['browser_snapshot'], ['browser_click', args]] })),
  ...each(wrongClicks, (args) => ({ page: form, steps: [['browser_click', args]] })).map(titled('click with')),
  ...each(typed, (args) => ({ page: form, steps: [['browser_snapshot'], ['browser_type', args]] })).map(titled('type')),
  ...keys.map((key) => ({
    name: `press ${JSON.stringify(key)}`,
    page: form,
    steps: [['browser_press_key', { key }]] as const,
  })),
  {
    name: 'press Enter in a form',
    page: form,
    steps: [
      ['browser_click', { target: '[aria-label=Search]' }],
      ['browser_press_key', { key: 'Enter' }],
    ],
  },
  ...each(selected, (args) => ({ page: form, steps: [['browser_snapshot'], ['browser_select_option', args]] })).map(
    titled('select'),
  ),
  ...each(forms, (fields) => ({ page: form, steps: [['browser_snapshot'], ['browser_fill_form', { fields }]] })).map(
    titled('fill'),
  ),
  {
    name: 'hover a ref',
    page: form,
    steps: [['browser_snapshot'], ['browser_hover', { target: '{{ref:button "Go"}}', element: 'Go' }]],
  },
  { name: 'hover a selector', page: form, steps: [['browser_hover', { target: '#go' }]] },
  { name: 'hover an unknown ref', page: form, steps: [['browser_hover', { target: 'e996' }]] },
  { name: 'drag', page: dragged, steps: [['browser_drag', { startTarget: '#a', endTarget: '#b' }]] },
  {
    name: 'drag with refs and descriptions',
    page: '<button>From</button><button>To</button>',
    steps: [
      ['browser_snapshot'],
      [
        'browser_drag',
        { startTarget: '{{ref:"From"}}', startElement: 'From', endTarget: '{{ref:"To"}}', endElement: 'To' },
      ],
    ],
  },
  { name: 'drag from nowhere', page: dragged, steps: [['browser_drag', { startTarget: '#x', endTarget: '#b' }]] },
  { name: 'drag without an end', page: dragged, steps: [['browser_drag', { startTarget: '#a' }]] },
  { name: 'drop data', page: dragged, steps: [['browser_drop', { target: '#c', data: { 'text/plain': 'hello' } }]] },
  { name: 'drop a file', page: dragged, steps: [['browser_drop', { target: '#c', paths: ['{{folder}}/note.txt'] }]] },
  {
    name: 'drop several files',
    page: dragged,
    steps: [['browser_drop', { target: '#c', paths: ['{{folder}}/note.txt', '{{folder}}/other.txt'] }]],
  },
  { name: 'drop nothing', page: dragged, steps: [['browser_drop', { target: '#c' }]] },
  {
    name: 'drop a file from outside',
    page: dragged,
    steps: [['browser_drop', { target: '#c', paths: ['/etc/hostname'] }]],
  },
  {
    name: 'click in a frame',
    page: framed,
    steps: [['browser_snapshot'], ['browser_click', { target: '{{ref:button "Inside"}}' }]],
  },
  {
    name: 'type in a frame',
    page: framed,
    steps: [['browser_snapshot'], ['browser_type', { target: '{{ref:textbox "Inner field"}}', text: 'deep' }]],
  },
];

function titled(prefix: string): (scenario: Scenario) => Scenario {
  return (scenario) => ({ ...scenario, name: `${prefix} ${scenario.name}` });
}
