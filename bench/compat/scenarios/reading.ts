import { formPage, framesPage } from '../../../tests/site/zoo.ts';
import { each } from '../scenario.ts';
import type { Scenario, Step } from '../scenario.ts';

const list = `<title>List</title><h1>Things</h1><nav><a href="/target">Home</a></nav>
<ul>${Array.from({ length: 12 }, (_, i) => `<li>Item ${i} <button>Buy ${i}</button></li>`).join('')}</ul>
<table><tr><th>Name</th><th>Price</th></tr><tr><td>Apple</td><td>1</td></tr></table><p>Error: none</p>`;

const loud = `<title>Loud</title><button onclick="console.log('from the button')">Log</button>
<script>console.log('a log'); console.info('an info'); console.warn('a warning'); console.error('an error');
console.debug('a debug'); console.table([1]); throw new Error('thrown at the end')</script>`;

const busy = `<title>Busy</title><link rel="stylesheet" href="/style.css"><script src="/script.js"></script>
<p>Busy</p>`;

/** Ends when the last answer was read: by then, both servers have seen all requests and the console line of the failed one. */
const sendRequests: Step = [
  'browser_evaluate',
  {
    function: `async () => {
  const read = async (...request) => (await fetch(...request)).text();
  await read('/api/json', { method: 'POST', headers: { 'x-mine': '1' }, body: '{"a":1}' });
  for (const path of ['fail', 'none', 'bytes', 'json']) await read('/api/' + path);
}`,
  },
];

const scripts: Readonly<Record<string, string>> = {
  'a number': '() => 1 + 1',
  'a string': "() => 'text'",
  'an object': '() => ({ a: 1, b: [true, null] })',
  undefined: '() => undefined',
  null: '() => null',
  'a promise': 'async () => 5',
  'an expression': 'document.title',
  'an expression with a string': "'it\\'s'",
  'several lines': '() => {\n  const a = 1;\n  return a;\n}',
  'a function that throws': "() => { throw new Error('no') }",
  'a function that throws text': "() => { throw 'no' }",
  'a syntax error': '() => {',
  'an unknown name': '() => nothing.here',
  'an element': '() => document.body',
  'a date': '() => new Date(0)',
  'not a number': '() => [NaN, Infinity, -0]',
  'a map': '() => new Map([[1, 2]])',
  'a bigint': '() => 10n',
  'a cycle': '() => { const a = {}; a.a = a; return a; }',
  'a dialog': "() => { alert('from a script'); return 3; }",
  'quotes and backslashes': '() => "a\\"b\\\\c"',
};

const found: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a text': { text: 'item 3' },
  'a text in capitals': { text: 'ITEM 4' },
  'many matches': { text: 'Buy' },
  neighbours: { text: 'Item 5' },
  'a role': { text: 'heading' },
  nothing: { text: 'unicorn' },
  'a regular expression': { regex: 'Item [67]' },
  'a regular expression in another case': { regex: 'item 6' },
  'a regular expression with flags': { regex: '/item 6/i' },
  'a regular expression with the flag g': { regex: '/Buy \\d/g' },
  'a bad regular expression': { regex: '(' },
  'text and regex': { text: 'a', regex: 'b' },
  neither: {},
  'empty texts': { text: '', regex: '' },
  'to a file': { text: 'Apple', filename: 'found.md' },
};

const snapshots: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'of the page': {},
  'of an element': { target: 'ul' },
  'of a ref': { target: '{{ref:table}}' },
  'with depth 1': { depth: 1 },
  'with depth 2': { depth: 2 },
  'with depth 0': { depth: 0 },
  'with boxes': { boxes: true },
  'of an element with boxes': { target: 'nav', boxes: true },
  'of an element with depth': { target: 'ul', depth: 1 },
  'to a file': { filename: 'page.yml' },
  'to an empty file name': { filename: '' },
  'to a folder': { filename: 'deep/er/page.yml' },
  'to a file outside': { filename: '../outside.yml' },
  'to an absolute path': { filename: '{{folder}}/absolute.yml' },
  'to a forbidden path': { filename: '/etc/pagehelm.yml' },
  'of an unknown element': { target: '#none' },
  'of an unknown ref': { target: 'e995' },
  'with a text as depth': { depth: 'two' },
};

const shots: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'of the viewport': {},
  'of the full page': { fullPage: true },
  'not of the full page': { fullPage: false },
  'of an element': { target: 'ul' },
  'of a described element': { target: 'ul', element: 'the list' },
  'as jpeg': { type: 'jpeg' },
  'as webp': { type: 'webp' },
  'to a file': { filename: 'shot.png' },
  'to a jpeg file': { filename: 'shot.jpg' },
  'to a file of another type': { filename: 'shot.png', type: 'jpeg' },
  'to a file without an extension': { filename: 'shot' },
  'in device pixels': { scale: 'device' },
  'of an element and the full page': { target: 'ul', fullPage: true },
  'of an unknown element': { target: '#none' },
  'as gif': { type: 'gif' },
};

const logs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'as they are': {},
  'of level error': { level: 'error' },
  'of level warning': { level: 'warning' },
  'of level debug': { level: 'debug' },
  'of all pages': { all: true },
  'to a file': { filename: 'console.log' },
  'of an unknown level': { level: 'loud' },
};

const lists: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'as they are': {},
  'with static resources': { static: true },
  'with a filter': { filter: '/api/(json|fail)' },
  'with a filter that matches nothing': { filter: 'nothing' },
  'with a bad filter': { filter: '(' },
  'to a file': { filename: 'network.log', static: true },
};

const requests: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a document': { index: 1 },
  'request headers': { index: 4, part: 'request-headers' },
  'request body': { index: 4, part: 'request-body' },
  'no request body': { index: 1, part: 'request-body' },
  'response headers': { index: 2, part: 'response-headers' },
  'response body': { index: 4, part: 'response-body' },
  'a stylesheet': { index: 2, part: 'response-body' },
  'a file': { index: 4, part: 'response-body', filename: 'body.json' },
  'an unknown number': { index: 99 },
  'number 0': { index: 0 },
  'a fraction': { index: 1.5 },
  'an unknown part': { index: 1, part: 'trailers' },
};

const waits: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a time': { time: 0.1 },
  'a text': { text: 'Things' },
  'a text that is gone': { textGone: 'Never there' },
  'a text and another gone': { text: 'Things', textGone: 'Never there' },
  'a text with quotes': { text: 'Error: none' },
  nothing: {},
  'an empty text': { text: '' },
  'a text as time': { time: 'soon' },
};

const media: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  dark: { colorScheme: 'dark' },
  several: { colorScheme: 'light', reducedMotion: 'reduce', media: 'print' },
  'a reset': { colorScheme: null },
  nothing: {},
  'an unknown scheme': { colorScheme: 'pink' },
  'contrast and colors': { forcedColors: 'active', contrast: 'more' },
};

export const readingScenarios: readonly Scenario[] = [
  {
    name: 'a snapshot of a table with a caption',
    page: '<table><caption>Prices</caption><tr><td>1</td></tr></table>',
    steps: [['browser_snapshot']],
  },
  { name: 'a snapshot of a form', page: formPage(), steps: [['browser_snapshot']] },
  { name: 'a snapshot of frames', page: framesPage(), steps: [['browser_snapshot']] },
  ...each(scripts, (source) => ({ page: list, steps: [['browser_evaluate', { function: source }]] })).map(
    titled('evaluate'),
  ),
  {
    name: 'handle the dialog of a script',
    page: list,
    steps: [
      ['browser_evaluate', { function: "() => confirm('sure?')" }],
      ['browser_handle_dialog', { accept: true }],
    ],
  },
  {
    name: 'evaluate on an element',
    page: list,
    steps: [['browser_evaluate', { target: 'h1', element: 'Title', function: '(element) => element.textContent' }]],
  },
  {
    name: 'evaluate on a ref',
    page: list,
    steps: [['browser_snapshot'], ['browser_evaluate', { target: '{{ref:heading}}', function: '(e) => e.tagName' }]],
  },
  {
    name: 'evaluate on an unknown element',
    page: list,
    steps: [['browser_evaluate', { target: '#none', function: '(e) => e' }]],
  },
  {
    name: 'evaluate to a file',
    page: list,
    steps: [['browser_evaluate', { function: '() => [1, 2]', filename: 'result.json' }]],
  },
  { name: 'evaluate nothing', page: list, steps: [['browser_evaluate', {}]] },
  ...each(found, (args) => ({ page: list, steps: [['browser_find', args]] })).map(titled('find')),
  ...each(snapshots, (args) => ({ page: list, steps: [['browser_snapshot'], ['browser_snapshot', args]] })).map(
    titled('snapshot'),
  ),
  ...each(shots, (args) => ({ page: list, steps: [['browser_take_screenshot', args]] })).map(titled('screenshot')),
  ...each(logs, (args) => ({
    page: loud,
    steps: [['browser_console_messages', args]],
  })).map(titled('console messages')),
  {
    name: 'a click that logs',
    page: loud,
    steps: [['browser_click', { target: 'button' }], ['browser_snapshot']],
  },
  ...each(lists, (args) => ({
    page: busy,
    steps: [sendRequests, ['browser_network_requests', args]],
  })).map(titled('requests')),
  ...each(requests, (args) => ({
    page: busy,
    steps: [sendRequests, ['browser_network_request', args]],
  })).map(titled('request')),
  ...each(waits, (args) => ({ page: list, steps: [['browser_wait_for', args]] })).map(titled('wait for')),
  ...each(media, (args) => ({
    page: list,
    steps: [
      ['browser_emulate_media', args],
      ['browser_evaluate', { function: "() => matchMedia('(prefers-color-scheme: dark)').matches" }],
      [
        'browser_emulate_media',
        { colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null, media: null },
      ],
    ],
  })).map(titled('emulate')),
  {
    name: 'resize',
    page: list,
    steps: [
      ['browser_resize', { width: 800, height: 600 }],
      ['browser_evaluate', { function: '() => [innerWidth, innerHeight]' }],
      ['browser_resize', { width: 1280, height: 720 }],
    ],
  },
  { name: 'resize without a height', page: list, steps: [['browser_resize', { width: 800 }]] },
  { name: 'resize to nothing', page: list, steps: [['browser_resize', { width: -1, height: 0 }]] },
];

function titled(prefix: string): (scenario: Scenario) => Scenario {
  return (scenario) => ({ ...scenario, name: `${prefix} ${scenario.name}` });
}
