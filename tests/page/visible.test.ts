import { afterAll, beforeAll, expect, test } from 'vitest';
import { Seen } from './harness.ts';

let seen: Seen;

beforeAll(async () => {
  seen = await Seen.open();
});
afterAll(() => seen.close());

/** What a person sees of each page, as the snapshot says it. */
const pages: readonly (readonly [what: string, html: string, expected: string])[] = [
  [
    'two elements that own each other are both shown',
    '<div id="a" aria-owns="b"><p>One</p></div><div id="b" aria-owns="a"><p>Two</p></div>',
    '- generic: One | Two',
  ],
  [
    'what a hidden element owns is shown where it is',
    '<div style="display:none" aria-owns="a"></div><p id="a">Text</p>',
    '- paragraph: Text',
  ],
  [
    'what two elements own is shown once',
    '<div role="group" aria-label="A" aria-owns="x"></div><div role="group" aria-label="B" aria-owns="x"></div><button id="x">Go</button>',
    '- group "A":\n  - button "Go" [ref=e1]\n- group "B"',
  ],
  [
    'the list that a combobox owns is shown',
    '<input role="combobox" aria-label="City" aria-owns="l"><ul role="listbox" id="l"><li role="option">Bonn</li></ul>',
    '- combobox "City" [ref=e1]\n- listbox:\n  - option "Bonn" [ref=e2]',
  ],
  [
    'text from style sheets',
    '<style>.m::before{content:"−"}.s::after{content:" (sold out)"}.d::before{content:attr(data-x) ": "}.i::before{content:"\\e001"}.n::after{content:"★" / "5 " "stars"}</style>' +
      '<p class="m">500</p><p class="s">Lamp</p><p class="d" data-x="Price">12</p><p class="i">Icon</p><p class="n">Rated </p>',
    '- paragraph: −500\n- paragraph: Lamp (sold out)\n- paragraph: "Price: 12"\n- paragraph: Icon\n- paragraph: Rated 5 stars',
  ],
  [
    'the numbers of ordered lists',
    '<ol start="3"><li>Three</li><li value="7">Seven</li></ol><ol type="a"><li>First</li><li>Second</li></ol><ol reversed><li>Two</li><li>One</li></ol><ol style="list-style:none"><li>Bare</li></ol>',
    '- list:\n  - listitem: 3. Three\n  - listitem: 7. Seven\n- list:\n  - listitem: a. First\n  - listitem: b. Second\n' +
      '- list:\n  - listitem: 2. Two\n  - listitem: 1. One\n- list:\n  - listitem: Bare',
  ],
  [
    'exponents and boxes keep apart what stands apart',
    '<p>€19<sup>99</sup></p><p>10<sup>2</sup></p><p>H<sub>2</sub>O</p>' +
      '<p><span style="display:inline-block;padding:4px">Red</span><span style="display:inline-block;padding:4px">Blue</span>12</p>' +
      '<p><span style="display:inline-block">W</span><span style="display:inline-block">ord</span></p>',
    '- paragraph: €19^99\n- paragraph: 10^2\n- paragraph: H_2O\n- paragraph: Red Blue 12\n- paragraph: Word',
  ],
  [
    'text that a style strikes out',
    '<p><span style="text-decoration:line-through">€20</span> €15</p><div style="text-decoration:line-through"><b>Done</b></div>',
    '- paragraph: ~~€20~~ €15\n- text: ~~Done~~',
  ],
  [
    'a check box that is hidden behind its label has its state',
    '<style>input{display:none}</style><label><input type="checkbox" checked> Newsletter</label><label for="r">Pro</label><input type="radio" id="r">',
    '- checkbox "Newsletter" [checked] [ref=e1]\n- radio "Pro" [ref=e2]',
  ],
  [
    'joiners that a script needs',
    '<p>می\u200cخواهم 👨\u200d👩\u200d👧 pass\u200cword</p>',
    '- paragraph: می\u200cخواهم 👨\u200d👩\u200d👧 password',
  ],
  [
    'what a style hides is not shown',
    '<div style="content-visibility:hidden">a</div><div hidden="until-found">b</div><div style="height:0;overflow:hidden">c</div>' +
      '<p style="text-indent:-9999px">d</p><p style="-webkit-text-fill-color:transparent">e</p>' +
      '<details><summary>More</summary><summary>f</summary>g</details><p>Shown</p>',
    '- button "More" [collapsed] [ref=e1]\n- paragraph: Shown',
  ],
  [
    'groups of options, suggestions and lines of a text area',
    '<select aria-label="Fruit"><optgroup label="Red"><option>Apple</option></optgroup><optgroup label="Blue"><option>Plum</option></optgroup></select>' +
      '<input aria-label="City" list="c"><datalist id="c"><option>Bonn</option><option>Köln</option></datalist>' +
      '<textarea aria-label="Notes">one\ntwo</textarea>',
    '- combobox "Fruit" [ref=e1]:\n  - group "Red":\n    - option "Apple" [selected]\n  - group "Blue":\n    - option "Plum"\n' +
      '- combobox "City" [ref=e2]:\n  - /suggestions: Bonn, Köln\n- textbox "Notes" [ref=e3]: "one\\ntwo"',
  ],
  [
    'columns of cells that span rows and columns',
    '<table><tr><th>Day</th><th>Room</th><th>Talk</th></tr><tr><td rowspan="2">Mon</td><td>A</td><td>One</td></tr><tr><td>B</td><td>Two</td></tr><tr><td colspan="2">Tue</td><td>Three</td></tr></table>',
    "- table:\n  - row: Day | Room | Talk\n  - row: Mon | A | One\n  - row: '| B | Two'\n  - row: Tue |  | Three",
  ],
  [
    'formulas',
    '<p>Energy: <math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math></p><math alttext="a over b"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>',
    '- paragraph: "Energy: E=mc^2"\n- text: a over b',
  ],
  [
    'landmarks without a name fall back, and an aside in main is complementary',
    '<div role="region"><p>a</p></div><section aria-labelledby="nobody"><p>b</p></section><main><aside>c</aside></main>',
    '- paragraph: a\n- paragraph: b\n- main:\n  - complementary: c',
  ],
  [
    '[S2-27] drop targets have a ref, empty ones too',
    '<div draggable="true">Item A</div><div ondrop="void 0">Drop here</div><div ondragover="void 0" style="height:50px"></div>',
    '- generic [ref=e1] [cursor=pointer]: Item A\n- generic [ref=e2] [drop target]: Drop here\n- generic [ref=e3] [drop target]',
  ],
];

test.each(pages)('%s', async (_, html, expected) => {
  expect(await seen.lines(html)).toBe(expected);
});
