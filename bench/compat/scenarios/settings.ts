import type { Group, Scenario, Step } from '../scenario.ts';

const page = `<title>Small</title><h1>Hello</h1><button id="go" data-qa="go" onclick="console.log('clicked')">Go</button>
<input aria-label="Name"><a href="/target">Next</a>`;

const steps: readonly Step[] = [
  ['browser_snapshot'],
  ['browser_click', { target: '{{ref:button "Go"}}' }],
  ['browser_type', { target: '[aria-label=Name]', text: 'Ada' }],
  ['browser_take_screenshot'],
  ['browser_evaluate', { function: '() => document.title' }],
];

/** What every setting may change. */
const common: readonly Scenario[] = [{ name: 'a page', page, steps }];

const assertions: readonly Step[] = [
  ['browser_verify_text_visible', { text: 'Hello' }],
  ['browser_verify_value', { type: 'textbox', element: 'Name', target: '[aria-label=Name]', value: '' }],
  ['browser_verify_list_visible', { element: 'Page', target: 'body', items: ['Hello'] }],
];

const written: readonly Scenario[] = [
  {
    name: 'code',
    page,
    steps: [
      ...steps,
      ['browser_press_key', { key: 'Enter' }],
      ['browser_hover', { target: '#go' }],
      ['browser_click', { target: '#go', modifiers: ['Shift'], button: 'right' }],
      ['browser_fill_form', { fields: [{ target: '[aria-label=Name]', name: 'Name', type: 'textbox', value: 'Bo' }] }],
      ['browser_navigate_back'],
    ],
  },
  { name: 'assertions', page, steps: assertions },
];

const clipboardStates: Step = [
  'browser_evaluate',
  {
    function: `async () => {
  const states = ['clipboard-read', 'clipboard-write', 'geolocation'].map((name) => navigator.permissions.query({ name }));
  return (await Promise.all(states)).map(({ state }) => state);
}`,
  },
];

export const settingGroups: readonly Group[] = [
  ...['python', 'java', 'csharp', 'none'].map((language): Group => ({
    name: `codegen ${language}`,
    flags: ['--codegen', language, '--caps', 'testing'],
    scenarios: written,
  })),
  { name: 'no snapshots', flags: ['--snapshot-mode', 'none'], scenarios: common },
  { name: 'boxes', flags: ['--snapshot-boxes'], scenarios: common },
  { name: 'images omitted', flags: ['--image-responses', 'omit'], scenarios: common },
  { name: 'images only', flags: ['--image-responses', 'only'], scenarios: common },
  { name: 'absolute paths', flags: ['--file-paths', 'absolute'], scenarios: common },
  { name: 'an output folder', flags: ['--output-dir', '{{folder}}/out'], scenarios: common },
  { name: 'errors only', flags: ['--console-level', 'error'], scenarios: common },
  { name: 'a test id', flags: ['--test-id-attribute', 'data-qa'], scenarios: common },
  { name: 'a viewport', flags: ['--viewport-size', '600x400'], scenarios: common },
  {
    name: 'a user agent',
    flags: ['--user-agent', 'Mine/1.0'],
    scenarios: [{ name: 'read', page, steps: [['browser_evaluate', { function: '() => navigator.userAgent' }]] }],
  },
  {
    name: 'a device',
    flags: ['--device', 'iPhone 15'],
    scenarios: [
      { name: 'read', page, steps: [['browser_evaluate', { function: '() => [innerWidth, navigator.userAgent]' }]] },
    ],
  },
  {
    name: 'a short time-out',
    flags: ['--timeout-action', '300'],
    scenarios: [
      {
        name: 'a wait',
        page,
        steps: [
          ['browser_wait_for', { text: 'Never' }],
          ['browser_wait_for', { textGone: 'Hello' }],
          ['browser_click', { target: 'text=Never' }],
        ],
      },
    ],
  },
  {
    name: 'unrestricted files',
    flags: ['--allow-unrestricted-file-access'],
    scenarios: [
      {
        name: 'a file',
        steps: [
          ['browser_navigate', { url: 'file:///etc/hostname' }],
          ['browser_snapshot', { filename: '{{folder}}/../outside.yml' }],
        ],
      },
    ],
  },
  {
    name: 'blocked origins',
    config: { network: { blockedOrigins: ['http://localhost:1'] } },
    scenarios: [
      {
        name: 'a request',
        page: '<title>B</title>',
        steps: [
          ['browser_evaluate', { function: "() => fetch('http://localhost:1/x').catch((error) => String(error))" }],
          ['browser_network_requests'],
          ['browser_console_messages'],
        ],
      },
    ],
  },
  {
    name: 'secrets',
    files: { 'secrets.env': 'PASSWORD=hunter2hunter2' },
    flags: ['--secrets', '{{folder}}/secrets.env'],
    scenarios: [
      {
        name: 'typed',
        page,
        steps: [
          ['browser_type', { target: '[aria-label=Name]', text: 'PASSWORD' }],
          ['browser_snapshot'],
          ['browser_evaluate', { function: "() => document.querySelector('input').value" }],
        ],
      },
    ],
  },
  {
    name: 'init script',
    files: { 'init.js': 'window.prepared = 42;' },
    config: { browser: { initScript: ['{{folder}}/init.js'] } },
    scenarios: [{ name: 'read', page, steps: [['browser_evaluate', { function: '() => window.prepared' }]] }],
  },
  {
    name: 'init page',
    files: {
      'page.mjs': "export default async ({ page }) => page.addInitScript(() => { window.prepared = 'by a module'; });",
    },
    flags: ['--init-page', '{{folder}}/page.mjs'],
    scenarios: [
      {
        name: 'read',
        page,
        steps: [
          ['browser_evaluate', { function: '() => window.prepared' }],
          ['browser_tabs', { action: 'new', url: '{{site}}/target' }],
          ['browser_evaluate', { function: '() => window.prepared' }],
        ],
      },
    ],
  },
  {
    name: 'an init page that fails',
    files: { 'page.cjs': "module.exports.default = () => { throw new Error('no luck'); };" },
    flags: ['--init-page', '{{folder}}/page.cjs'],
    scenarios: [{ name: 'a call', page, steps: [['browser_snapshot']] }],
  },
  {
    name: 'an output limit',
    flags: ['--output-max-size', '1500'],
    scenarios: [
      {
        name: 'old files',
        page,
        steps: [
          ['browser_snapshot', { filename: '.playwright-mcp/first.yml' }],
          ['browser_evaluate', { function: "() => 'x'.repeat(1000)", filename: '.playwright-mcp/second.json' }],
          ['browser_evaluate', { function: "() => 'y'.repeat(1000)", filename: '.playwright-mcp/third.json' }],
          ['browser_find', { text: 'Hello', filename: '.playwright-mcp/found.md' }],
        ],
      },
    ],
  },
  {
    name: 'the clipboard',
    flags: ['--grant-permissions', 'clipboard-read,clipboard-write'],
    scenarios: [{ name: 'permissions', page, steps: [clipboardStates] }],
  },
  {
    name: 'no permissions',
    scenarios: [{ name: 'permissions', page, steps: [clipboardStates] }],
  },
  {
    name: 'default arguments left out',
    config: { browser: { launchOptions: { ignoreDefaultArgs: ['--hide-scrollbars'] } } },
    scenarios: [
      {
        name: 'scrollbars',
        page: '<title>Tall</title><div style="height: 3000px"></div>',
        steps: [['browser_evaluate', { function: '() => innerWidth - document.documentElement.clientWidth > 0' }]],
      },
    ],
  },
  {
    name: 'webdriver',
    scenarios: [{ name: 'read', page, steps: [['browser_evaluate', { function: '() => navigator.webdriver' }]] }],
  },
  {
    name: 'mobile',
    flags: ['--mobile'],
    scenarios: [
      { name: 'read', page, steps: [['browser_evaluate', { function: '() => [innerWidth, devicePixelRatio]' }]] },
    ],
  },
  {
    name: 'allowed origins',
    config: { network: { allowedOrigins: ['http://localhost:1'] } },
    scenarios: [{ name: 'a page of another origin', steps: [['browser_navigate', { url: '{{site}}/target' }]] }],
  },
  {
    name: 'no service workers',
    flags: ['--block-service-workers'],
    scenarios: [
      {
        name: 'register',
        page,
        steps: [
          [
            'browser_evaluate',
            {
              function:
                "() => navigator.serviceWorker.register('/script.js').then(() => 'registered', () => 'refused')",
            },
          ],
        ],
      },
    ],
  },
  {
    name: 'a saved session',
    flags: ['--save-session'],
    scenarios: [{ name: 'a page', page, steps: steps.slice(0, 3) }],
  },
  {
    name: 'a storage state',
    files: {
      'state.json':
        '{"cookies":[{"name":"kept","value":"1","domain":"127.0.0.1","path":"/","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"}],"origins":[]}',
    },
    flags: ['--storage-state', '{{folder}}/state.json'],
    scenarios: [{ name: 'cookies', page, steps: [['browser_evaluate', { function: '() => document.cookie' }]] }],
  },
  {
    name: 'a profile',
    config: { browser: { isolated: false } },
    scenarios: [
      { name: 'a page', page, steps },
      { name: 'close', page, steps: [['browser_close'], ['browser_tabs', { action: 'list' }]] },
    ],
  },
  {
    name: 'a browser that does not start',
    files: { 'fake-browser': '#!/bin/sh\necho "no display today" >&2\nexit 3\n' },
    config: { browser: { launchOptions: { executablePath: '{{folder}}/fake-browser' } } },
    scenarios: [{ name: 'a call', steps: [['browser_snapshot']] }],
  },
  {
    name: 'a running browser',
    attached: true,
    config: { browser: { isolated: false } },
    scenarios: [
      {
        name: 'its open page',
        steps: [
          ['browser_tabs', { action: 'list' }],
          ['browser_evaluate', { function: "() => matchMedia('(prefers-color-scheme: dark)').matches" }],
          ['browser_navigate', { url: '{{site}}/target' }],
          ['browser_tabs', { action: 'list' }],
          ['browser_tabs', { action: 'new' }],
        ],
      },
      { name: 'a page', page, steps },
    ],
  },
  {
    name: 'http',
    transport: 'http',
    scenarios: [
      { name: 'a page', page, steps },
      { name: 'close', page, steps: [['browser_close'], ['browser_tabs', { action: 'list' }]] },
    ],
  },
  {
    name: 'roots',
    root: 'project',
    files: { 'project/inside.txt': 'in', 'outside.txt': 'out' },
    scenarios: [
      {
        name: 'uploads',
        page: '<title>Up</title><input type="file" onchange="document.title = this.files[0].name">',
        steps: [
          ['browser_click', { target: 'input' }],
          ['browser_file_upload', { paths: ['{{folder}}/outside.txt'] }],
          ['browser_file_upload', { paths: ['{{folder}}/project/inside.txt'] }],
        ],
      },
      {
        name: 'files',
        page,
        steps: [
          ['browser_snapshot', { filename: 'page.yml' }],
          ['browser_snapshot', { filename: '{{folder}}/up.yml' }],
        ],
      },
    ],
  },
];
