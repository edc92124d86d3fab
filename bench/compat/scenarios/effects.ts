import type { Scenario } from '../scenario.ts';

const delayed = `<title>Delayed</title><button onclick="setTimeout(() => out.textContent = 'late', 60)">Timer</button>
<button onclick="fetch('/api/json').then(r => r.text()).then(t => out.textContent = t)">Fetch</button>
<button onclick="setTimeout(() => location.href = '/target', 30)">Leave</button>
<button onclick="document.title = 'Renamed'">Rename</button><p id="out">-</p>`;

const popup =
  '<title>Opener</title><a href="/target" target="_blank">Open</a><button onclick="window.open(\'/target\')">Window</button>';

const link = '<title>Start</title><h1>Start</h1><a href="/target">To the target</a>';

/** What an action causes later. The peer waits a fixed time for it. */
export const effectScenarios: readonly Scenario[] = [
  ...['Timer', 'Fetch', 'Leave', 'Rename'].map((name) => ({
    name: `effect of ${name}`,
    page: delayed,
    steps: [
      ['browser_snapshot'],
      ['browser_click', { target: `{{ref:button "${name}"}}` }],
      ['browser_snapshot'],
    ] as const,
  })),
  {
    name: 'a link',
    page: link,
    steps: [['browser_snapshot'], ['browser_click', { target: '{{ref:link "To the target"}}' }]],
  },
  {
    name: 'evaluate a navigation',
    page: link,
    steps: [['browser_evaluate', { function: "() => { location.href = '/target'; }" }]],
  },
  {
    name: 'a link that opens a tab',
    page: popup,
    steps: [
      ['browser_click', { target: 'a' }],
      ['browser_tabs', { action: 'list' }],
      ['browser_tabs', { action: 'close', index: 1 }],
    ],
  },
];
