import { each } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

const addresses: Readonly<Record<string, string>> = {
  'a page': '{{site}}/target',
  'a redirect': '{{site}}/redirect',
  'status 402': '{{site}}/payment',
  'status 404': '{{site}}/missing',
  'status 500': '{{site}}/broken',
  'a download': '{{site}}/download',
  'a data URL': 'data:text/html,<title>Data</title><p>From data</p>',
  'about:blank': 'about:blank',
  'a file': 'file:///etc/hostname',
  'a closed port': 'http://127.0.0.1:1/',
  'an empty text': '',
};

const dialogs = `<title>Dialogs</title><button onclick="alert('Hello &quot;you&quot;')">Alert</button>
<button onclick="out.textContent = confirm('Sure?')">Confirm</button>
<button onclick="out.textContent = prompt('Name?', 'nobody')">Prompt</button>
<button onclick="alert('one'); alert('two')">Twice</button><p id="out">-</p>`;

const upload = `<title>Upload</title><input type="file" id="one" onchange="out.textContent = [...this.files].map(f => f.name).join()">
<input type="file" id="many" multiple onchange="out.textContent = [...this.files].map(f => f.name).join()"><p id="out">-</p>`;

const answers: Readonly<Record<string, readonly [string, Readonly<Record<string, unknown>>]>> = {
  'accept an alert': ['Alert', { accept: true }],
  'dismiss an alert': ['Alert', { accept: false }],
  'accept a confirmation': ['Confirm', { accept: true }],
  'dismiss a confirmation': ['Confirm', { accept: false }],
  'answer a prompt': ['Prompt', { accept: true, promptText: 'Ada' }],
  'accept a prompt without a text': ['Prompt', { accept: true }],
  'dismiss a prompt': ['Prompt', { accept: false, promptText: 'x' }],
};

const files: Readonly<Record<string, readonly [string, Readonly<Record<string, unknown>>]>> = {
  'one file': ['#one', { paths: ['{{folder}}/note.txt'] }],
  'several files': ['#many', { paths: ['{{folder}}/note.txt', '{{folder}}/other.txt'] }],
  'a relative path': ['#one', { paths: ['note.txt'] }],
  'no files': ['#one', {}],
  'an empty list': ['#one', { paths: [] }],
};

export const navigationScenarios: readonly Scenario[] = [
  ...each(addresses, (url) => ({
    page: '<title>Start</title><p>Start</p>',
    steps: [['browser_navigate', { url }], ['browser_snapshot']],
  })),
  { name: 'navigate without a URL', steps: [['browser_navigate', {}]] },
  {
    name: 'go back',
    page: '<title>One</title><p>One</p>',
    steps: [['browser_navigate', { url: '{{site}}/target' }], ['browser_navigate_back']],
  },
  { name: 'the list of tabs', page: '<title>One</title>', steps: [['browser_tabs', { action: 'list' }]] },
  {
    name: 'new, selected and closed tabs',
    page: '<title>One</title>',
    steps: [
      ['browser_tabs', { action: 'new' }],
      ['browser_tabs', { action: 'list' }],
      ['browser_navigate', { url: '{{site}}/target' }],
      ['browser_tabs', { action: 'select', index: 0 }],
      ['browser_snapshot'],
      ['browser_tabs', { action: 'close', index: 1 }],
    ],
  },
  {
    name: 'a new tab with a URL',
    page: '<title>One</title>',
    steps: [
      ['browser_tabs', { action: 'new', url: '{{site}}/target' }],
      ['browser_tabs', { action: 'close' }],
    ],
  },
  { name: 'select without an index', page: '<p>x</p>', steps: [['browser_tabs', { action: 'select' }]] },
  { name: 'select an unknown tab', page: '<p>x</p>', steps: [['browser_tabs', { action: 'select', index: 9 }]] },
  { name: 'close an unknown tab', page: '<p>x</p>', steps: [['browser_tabs', { action: 'close', index: 9 }]] },
  { name: 'an unknown action of tabs', page: '<p>x</p>', steps: [['browser_tabs', { action: 'swap' }]] },
  {
    name: 'close the last tab',
    page: '<p>x</p>',
    steps: [
      ['browser_tabs', { action: 'close' }],
      ['browser_tabs', { action: 'list' }],
    ],
  },
  ...each(answers, ([button, args]) => ({
    page: dialogs,
    steps: [
      ['browser_click', { target: `text=${button}` }],
      ['browser_snapshot'],
      ['browser_handle_dialog', args],
      ['browser_snapshot'],
    ],
  })),
  {
    name: 'two dialogs in a row',
    page: dialogs,
    steps: [
      ['browser_click', { target: 'text=Twice' }],
      ['browser_handle_dialog', { accept: true }],
      ['browser_handle_dialog', { accept: true }],
      ['browser_snapshot'],
    ],
  },
  { name: 'handle no dialog', page: dialogs, steps: [['browser_handle_dialog', { accept: true }]] },
  { name: 'handle a dialog without arguments', page: dialogs, steps: [['browser_handle_dialog', {}]] },
  {
    name: 'other tools while a dialog is open',
    page: dialogs,
    steps: [
      ['browser_click', { target: 'text=Alert' }],
      ['browser_click', { target: 'text=Alert' }],
      ['browser_evaluate', { function: '() => 1' }],
      ['browser_take_screenshot', {}],
      ['browser_file_upload', { paths: [] }],
      ['browser_tabs', { action: 'list' }],
      ['browser_handle_dialog', { accept: true }],
    ],
  },
  {
    name: 'navigate while a dialog is open',
    page: dialogs,
    steps: [
      ['browser_click', { target: 'text=Alert' }],
      ['browser_handle_dialog', { accept: true }],
      ['browser_navigate', { url: '{{site}}/target' }],
    ],
  },
  ...each(files, ([target, args]) => ({
    page: upload,
    steps: [['browser_click', { target }], ['browser_file_upload', args], ['browser_snapshot']],
  })).map(titled('upload')),
  {
    name: 'upload without a chooser',
    page: upload,
    steps: [['browser_file_upload', { paths: ['{{folder}}/note.txt'] }]],
  },
  {
    name: 'upload a file from outside',
    page: upload,
    steps: [
      ['browser_click', { target: '#one' }],
      ['browser_file_upload', { paths: ['/etc/hostname'] }],
      ['browser_file_upload', {}],
    ],
  },
  {
    name: 'other tools while a chooser is open',
    page: upload,
    steps: [
      ['browser_click', { target: '#one' }],
      ['browser_click', { target: '#many' }],
      ['browser_snapshot'],
      ['browser_file_upload', {}],
    ],
  },
  { name: 'an unknown tool', page: '<p>x</p>', steps: [['browser_fly', {}]] },
  {
    name: 'close and open again',
    page: '<title>One</title>',
    steps: [['browser_close'], ['browser_tabs', { action: 'list' }], ['browser_navigate', { url: '{{site}}/target' }]],
  },
  { name: 'no URL', page: '<p>x</p>', steps: [['browser_navigate', { url: 'http://' }], ['browser_close']] },
  {
    name: 'an unknown scheme',
    page: '<p>x</p>',
    steps: [['browser_navigate', { url: 'nothing:here' }], ['browser_close']],
  },
  {
    name: 'the source of a file',
    page: '<p>x</p>',
    steps: [['browser_navigate', { url: 'view-source:file:///etc/hostname' }], ['browser_close']],
  },
  { name: 'close twice', page: '<p>x</p>', steps: [['browser_close'], ['browser_close']] },
  { name: 'snapshot after closing', page: '<p>x</p>', steps: [['browser_close'], ['browser_snapshot']] },
  { name: 'wait after closing', page: '<p>x</p>', steps: [['browser_close'], ['browser_wait_for', { time: 0.01 }]] },
];

function titled(prefix: string): (scenario: Scenario) => Scenario {
  return (scenario) => ({ ...scenario, name: `${prefix} ${scenario.name}` });
}
