import { each } from '../scenario.ts';
import type { Scenario, Step } from '../scenario.ts';

const stored = `<title>Stored</title><script>localStorage.clear(); sessionStorage.clear();
localStorage.setItem('one', '1'); sessionStorage.setItem('two', '2'); document.cookie = 'first=1; path=/'</script><p>Stored</p>`;

const tested = `<title>Tested</title><h1>Fruit</h1><ul><li>Apple</li><li>Pear</li></ul><button>Buy</button><p hidden>Hidden text</p>
<label>Name <input id="name" value="Ada"></label><label><input id="box" type="checkbox" checked> Agree</label>
<label>Color <select id="color"><option>Red</option><option selected>Green</option></select></label>
<input id="volume" type="range" value="30" aria-label="Volume"><iframe srcdoc="<button>Inside</button>"></iframe>`;

const fetching = `<title>Fetching</title><button onclick="fetch('/api/json').then(r => r.text(), e => 'failed').then(t => out.textContent = t)">Fetch</button><p id="out">-</p>`;

/**
 * Playwright's recorder keeps a navigation for 500 ms, and adds it to a recording that starts meanwhile. How much time
 * passes between the two calls depends on the machine.
 */
const untilTheRecorderForgets: readonly Step[] = [['browser_wait_for', { time: 1 }]];

/** The calls of a capability on one page, each a scenario of its own. */
function calls(page: string, rows: Readonly<Record<string, readonly Step[]>>): readonly Scenario[] {
  return each(rows, (steps) => ({ page, steps }));
}

const storage: Readonly<Record<string, readonly Step[]>> = {
  'list cookies': [['browser_cookie_list']],
  'list cookies of a path': [['browser_cookie_list', { path: '/' }]],
  'list cookies of another domain': [['browser_cookie_list', { domain: 'example.com' }]],
  'get a cookie': [['browser_cookie_get', { name: 'first' }]],
  'get an unknown cookie': [['browser_cookie_get', { name: "it's" }]],
  'get a cookie without a name': [['browser_cookie_get', {}]],
  'set a cookie': [
    ['browser_cookie_set', { name: 'a', value: 'b' }],
    ['browser_cookie_get', { name: 'a' }],
  ],
  'set a cookie with options': [
    [
      'browser_cookie_set',
      { name: 'c', value: 'd', path: '/deep', httpOnly: true, sameSite: 'Strict', expires: 4_000_000_000 },
    ],
    ['browser_cookie_get', { name: 'c' }],
  ],
  'set a cookie with a wrong sameSite': [['browser_cookie_set', { name: 'c', value: 'd', sameSite: 'Maybe' }]],
  'delete a cookie': [['browser_cookie_delete', { name: 'first' }], ['browser_cookie_list']],
  'clear cookies': [['browser_cookie_clear'], ['browser_cookie_list']],
  'save and restore the state': [
    ['browser_storage_state', { filename: 'state.json' }],
    ['browser_cookie_clear'],
    ['browser_set_storage_state', { filename: 'state.json' }],
    ['browser_cookie_list'],
  ],
  'save the state': [['browser_storage_state']],
  'restore an unknown file': [['browser_set_storage_state', { filename: 'none.json' }]],
  'restore a file from outside': [['browser_set_storage_state', { filename: '/etc/hostname' }]],
  ...Object.fromEntries(
    ['localstorage', 'sessionstorage'].flatMap(
      (area) =>
        [
          [`${area}: list`, [[`browser_${area}_list`]]],
          [
            `${area}: get`,
            [
              [`browser_${area}_get`, { key: 'one' }],
              [`browser_${area}_get`, { key: 'two' }],
            ],
          ],
          [`${area}: set`, [[`browser_${area}_set`, { key: "it's", value: '"v"' }], [`browser_${area}_list`]]],
          [`${area}: set without a value`, [[`browser_${area}_set`, { key: 'a' }]]],
          [`${area}: delete`, [[`browser_${area}_delete`, { key: 'one' }], [`browser_${area}_list`]]],
          [`${area}: clear`, [[`browser_${area}_clear`], [`browser_${area}_list`]]],
        ] as const,
    ),
  ),
};

const network: Readonly<Record<string, readonly Step[]>> = {
  'no routes': [['browser_route_list']],
  'a mock': [
    ['browser_route', { pattern: '**/api/json', body: '{"mine":1}', contentType: 'application/json', status: 201 }],
    ['browser_click', { target: 'button' }],
    ['browser_snapshot'],
    ['browser_route_list'],
    ['browser_unroute', { pattern: '**/api/json' }],
  ],
  'a route for headers': [
    ['browser_route', { pattern: '**/api/*', headers: ['X-New: yes', 'X-Other: no'], removeHeaders: 'accept, x-none' }],
    ['browser_route_list'],
    ['browser_click', { target: 'button' }],
    ['browser_unroute'],
  ],
  'a wrong header': [['browser_route', { pattern: '**', headers: ['nonsense'] }]],
  'a route without a pattern': [['browser_route', {}]],
  'a long body': [
    ['browser_route', { pattern: '**/long', body: 'x'.repeat(80) }],
    ['browser_route_list'],
    ['browser_unroute'],
  ],
  'remove an unknown route': [['browser_unroute', { pattern: '**/none' }]],
  'offline and online': [
    ['browser_network_state_set', { state: 'offline' }],
    ['browser_click', { target: 'button' }],
    ['browser_snapshot'],
    ['browser_network_state_set', { state: 'online' }],
  ],
  'an unknown state': [['browser_network_state_set', { state: 'slow' }]],
};

const verify = (type: string, target: string, value: string): readonly Step[] => [
  ['browser_verify_value', { type, target, value, element: 'Field' }],
];

const testing: Readonly<Record<string, readonly Step[]>> = {
  'a visible element': [['browser_verify_element_visible', { role: 'heading', accessibleName: 'Fruit' }]],
  'an element in a frame': [['browser_verify_element_visible', { role: 'button', accessibleName: 'Inside' }]],
  'an unknown element': [['browser_verify_element_visible', { role: 'link', accessibleName: 'None' }]],
  'a visible text': [['browser_verify_text_visible', { text: 'Apple' }]],
  'a hidden text': [['browser_verify_text_visible', { text: 'Hidden text' }]],
  'a list': [['browser_verify_list_visible', { element: 'Fruit', target: 'ul', items: ['Apple', 'Pear'] }]],
  'a list without an item': [['browser_verify_list_visible', { element: 'Fruit', target: 'ul', items: ['Fig'] }]],
  'a list that is not there': [['browser_verify_list_visible', { element: 'Fruit', target: 'ol', items: ['Fig'] }]],
  'a text value': verify('textbox', '#name', 'Ada'),
  'another text value': verify('textbox', '#name', 'Bob'),
  'a checked box': verify('checkbox', '#box', 'true'),
  'a box that is checked': verify('checkbox', '#box', 'false'),
  'an option': verify('combobox', '#color', 'Green'),
  'a slider': verify('slider', '#volume', '30'),
  'the value of an unknown field': verify('textbox', '#none', 'x'),
  'a locator of a ref': [
    ['browser_snapshot'],
    ['browser_generate_locator', { target: '{{ref:textbox "Name"}}', element: 'Name' }],
  ],
  'a locator of a selector': [['browser_generate_locator', { target: '#color' }]],
  'a locator in a frame': [['browser_snapshot'], ['browser_generate_locator', { target: '{{ref:button "Inside"}}' }]],
  'a locator of nothing': [['browser_generate_locator', { target: '#none' }]],
};

const devtools: Readonly<Record<string, readonly Step[]>> = {
  'highlight and hide': [
    ['browser_highlight', { target: 'h1' }],
    ['browser_highlight', { target: 'button', element: 'Buy', style: 'outline: 1px solid red' }],
    ['browser_hide_highlight', { target: 'h1' }],
    ['browser_hide_highlight', {}],
  ],
  'highlight nothing': [['browser_highlight', { target: '#none' }]],
  'record nothing': [['browser_start_recording'], ['browser_stop_recording']],
  'record twice': [
    ...untilTheRecorderForgets,
    ['browser_start_recording'],
    ['browser_start_recording'],
    ['browser_stop_recording'],
  ],
  'record a click': [
    ...untilTheRecorderForgets,
    ['browser_start_recording'],
    ['browser_click', { target: 'button' }],
    ['browser_stop_recording'],
  ],
  'stop no recording': [['browser_stop_recording']],
  trace: [['browser_start_tracing'], ['browser_click', { target: 'button' }], ['browser_stop_tracing']],
  'stop no trace': [['browser_stop_tracing']],
  'stop no video': [['browser_stop_video']],
  'a chapter': [['browser_video_chapter', { title: 'One', description: 'Text', duration: 10 }]],
  'a chapter without a title': [['browser_video_chapter', {}]],
  actions: [
    [
      'browser_video_show_actions',
      { duration: 10, position: 'bottom', cursor: 'none', style: { title: 'color: red' } },
    ],
    ['browser_video_hide_actions'],
  ],
  'actions at an unknown place': [['browser_video_show_actions', { position: 'middle' }]],
};

const mouse: Readonly<Record<string, readonly Step[]>> = {
  move: [['browser_mouse_move_xy', { x: 10, y: 20 }]],
  click: [['browser_mouse_click_xy', { x: 30, y: 30 }]],
  'click with options': [['browser_mouse_click_xy', { x: 30, y: 30, button: 'right', clickCount: 2, delay: 10 }]],
  drag: [['browser_mouse_drag_xy', { startX: 10, startY: 10, endX: 100, endY: 100 }]],
  'down and up': [['browser_mouse_down'], ['browser_mouse_up']],
  'down and up with a button': [
    ['browser_mouse_down', { button: 'right' }],
    ['browser_mouse_up', { button: 'right' }],
  ],
  wheel: [
    ['browser_mouse_wheel', { deltaX: 0, deltaY: 100 }],
    ['browser_mouse_wheel', {}],
  ],
  'click without coordinates': [['browser_mouse_click_xy', {}]],
  'an unknown button': [['browser_mouse_down', { button: 'fourth' }]],
};

export const capabilityScenarios: readonly Scenario[] = [
  ...calls(stored, storage),
  ...calls(fetching, network),
  ...calls(tested, testing),
  ...calls(tested, devtools),
  ...calls(tested, mouse).map((scenario) => ({ ...scenario, name: `mouse: ${scenario.name}` })),
  ...calls(tested, {
    'save a PDF': [['browser_pdf_save', { filename: 'page.pdf' }]],
    'save a PDF under a generated name': [['browser_pdf_save']],
    'save a PDF outside': [['browser_pdf_save', { filename: '/etc/page.pdf' }]],
  }),
];
