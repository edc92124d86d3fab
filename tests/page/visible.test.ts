import { afterAll, beforeAll, expect, test } from 'vitest';
import { zoo } from '../site/zoo.ts';
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
    'what is turned edge-on or scaled to nothing is left out',
    '<style>.x{rotate:x 90deg}.y{transform:rotateY(90deg)}</style><p class="x">A</p><p class="y">B</p><p style="rotate:1 0 0 90deg">C</p>' +
      '<p style="rotate:90deg">Turned</p><ul><li>One<ul><li><h3 style="scale:0">Nothing</h3></li><li>Two</li></ul></li></ul>',
    '- paragraph: Turned\n- list:\n  - listitem:\n    - text: One\n    - list:\n      - listitem: Two',
  ],
  [
    'an empty box without an area cannot be clicked',
    '<div onclick="go()" style="height:0"></div><div onclick="go()" style="width:20px;height:20px;background:red"></div>',
    '- generic [ref=e1] [cursor=pointer] [at 8,8 size 20x20 rgb(255,0,0)]',
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
    'words that are struck out stay apart',
    '<p style="text-decoration:line-through">all <b>gone</b> now</p>',
    '- paragraph: ~~all~~ ~~gone~~ ~~now~~',
  ],
  [
    'quotation marks',
    '<style>.o::before{content:open-quote}.o::after{content:close-quote}.o{quotes:"<" ">"}</style>' +
      '<p>Say <q>yes, <q>not</q> no</q></p><p lang="de">Sag <q>ja</q></p><p lang="fr-CA">Dis <q>oui</q></p><p class="o">Own</p><p style="quotes:none">Bare <q>x</q></p>',
    '- paragraph: Say “yes, ‘not’ no”\n- paragraph: Sag „ja“\n- paragraph: Dis «oui»\n- paragraph: <Own>\n- paragraph: Bare x',
  ],
  [
    'exponents of a style, and boxes without text',
    '<style>.e{vertical-align:super;font-size:60%}</style><p>m<span class="e">2</span></p><p>H<span style="vertical-align:sub">2</span>O</p>' +
      '<p>5<span style="display:inline-block;width:30px"></span>6</p><p>a<span style="display:inline-block"></span>b</p>',
    '- paragraph: m^2\n- paragraph: H_2O\n- paragraph: 5 6\n- paragraph: ab',
  ],
  [
    'text of a dialog that is only a part of a word of its name',
    '<div role="dialog" aria-label="Order 12"><p>Order</p> 1 <button>OK</button></div>',
    '- dialog "Order 12" [ref=e1]:\n  - paragraph: Order\n  - text: 1\n  - button "OK" [ref=e2]',
  ],
  [
    'text without a colour, in every notation of colours, unless its outline is drawn',
    '<p style="color:oklch(50% 0.1 20 / 0)">a</p><p style="color:color(srgb 1 0 0 / 0)">b</p><p style="color:color-mix(in srgb, red 0%, transparent)">c</p>' +
      '<p style="color:lab(100 0 0)">d</p><p style="color:lab(40 20 0)">Shown</p><p style="-webkit-text-stroke:1px red;color:transparent">Outlined</p>',
    '- paragraph: Shown\n- paragraph: Outlined',
  ],
  [
    'of a card that can be turned, the side that faces the viewer',
    '<style>.c{transform-style:preserve-3d;position:relative;height:20px}.c>p{backface-visibility:hidden;position:absolute;margin:0}.c>p+p{transform:rotateY(180deg)}.t{transform:rotateY(180deg)}</style>' +
      '<div class="c"><p>Front 1</p><p>Back 1</p></div><div class="c t"><p>Front 2</p><p>Back 2</p></div><div class="c" style="rotate:y 180deg"><p>Front 3</p><p>Back 3</p></div>',
    '- paragraph: Front 1\n- paragraph: Back 2\n- paragraph: Back 3',
  ],
  [
    'the number of a list item that a style hides',
    '<ol><li style="transform:scaleY(0)">Gone</li><li>Two</li></ol>',
    '- list:\n  - listitem: 2. Two',
  ],
  [
    'roots, sums and matrices',
    '<math><msqrt><mi>y</mi></msqrt><mi>z</mi></math><p><math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi></math></p>' +
      '<p><math><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo></math></p>',
    '- text: √(y)z\n- paragraph: ∑_(i=1)^n i\n- paragraph: (1 2; 3 4)',
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
    '- table:\n  |Day|Room|Talk\n  |Mon|A|One\n  ||B|Two\n  |Tue||Three',
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
    'a word of several elements is capitalized once',
    '<p style="text-transform:capitalize">x<b>y</b> <i>z</i></p><button style="text-transform:capitalize">a<b>b</b> c</button>',
    '- paragraph: Xy Z\n- button "Ab C" [ref=e1]',
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

/** What a screenshot of each page of the zoo shows. */
const screenshots: Readonly<Record<string, string>> = {
  counters: `- 'heading "Chapter 1: Start" [level=2]'
- heading "1.a Plan" [level=3]
- heading "1.b Build" [level=3]
- 'heading "Chapter 2: End" [level=2]'
- heading "2.a Ship" [level=3]
- list:
  - listitem: I) Mix
  - listitem: II) Bake
- list:
  - listitem:
    - text: 1 Root
    - list:
      - listitem: 1.1 Leaf
      - listitem: 1.2 Twig
  - listitem: 2 Other
- button "Photo (01)" [ref=e1]
- button "Film (02)" [ref=e2]`,
  'text-case': `- heading "SUMMER SALE" [level=2]
- paragraph: "SHIPPING TO KÖLN: STRASSE"
- paragraph: New York City, It’s Here
- paragraph: not loud
- paragraph: INLINE Mixed
- button "BUY NOW" [ref=e1]
- link "READ MORE" [ref=e2]
- textbox "E-MAIL" [ref=e3]`,
  markers: `- list:
  - listitem: ✓ Battery
  - listitem: ✓ Charger
- list:
  - listitem: ✗ Cable
- list:
  - listitem: → Look here
- list:
  - listitem: + Taste
  - listitem: − Price
- list:
  - listitem: 1. First
  - listitem: 2. Second
- list:
  - listitem: 01. Alpha
  - listitem: 02. Beta
- list:
  - listitem: "Step 1: Unpack"
  - listitem: "Step 2: Plug in"
- list:
  - listitem: IV. Four
- list:
  - listitem: Plain
- list:
  - listitem: Bare`,
  drawings: `- img [ref=e1]:
  - link "North region" [ref=e2]
  - link "South region" [ref=e3]
  - 'img "January: 5"'
  - group "Winter"
- img "Sales by quarter": "Q1: 10 | Q2: 14"
- img "Visitors": Mon | Tue
- img "4 of 5 stars"
- img "Share of votes": Yes 60% No 40%
- button "Settings" [ref=e4]`,
  modal: `- dialog "Delete order" [ref=e1] [modal]:
  - paragraph: Delete order 7?
  - button "Delete" [active] [ref=e2]
  - button "Keep" [ref=e3]
- generic [out of reach from here on]
- banner:
  - link "Home" [ref=e4]
- main:
  - heading "Orders" [level=1]
  - paragraph: Two orders.
  - button "New order" [ref=e5]
- contentinfo:
  - link "Imprint" [ref=e6]`,
  backdrop: `- dialog "Sign in" [ref=e1] [modal]:
  - textbox "Name" [ref=e2]
  - button "Sign in" [ref=e3]
- generic [out of reach from here on]
- main:
  - heading "Cart" [level=1]
  - button "Check out" [ref=e4]
- button "Chat" [ref=e5]`,
  concealed: `- paragraph: First line
- paragraph: Black fill on white
- paragraph: Moved, in view
- button "Pay" [ref=e1]
- button "Search" [ref=e2]
- button "More" [collapsed] [ref=e3]
- paragraph: Last line`,
  // The test machine lacks the icon font, in which "home" is a picture.
  muted: `- button "Open map" [ref=e1]
- text: link "Route" [ref=e2] by car
- paragraph: "Price: $19^99"
- paragraph: Start Here
- link "One" [ref=e3]
- button "Menu" [ref=e4]`,
  labels: `- paragraph:
  - checkbox "Flash the screen 5 times" [ref=e1]
  - text: Flash the screen
  - textbox [ref=e2]: 5
  - text: times
- paragraph:
  - radio "Remind me daily" [ref=e3]
  - text: Remind me
  - combobox [ref=e4]: daily (never | daily)
- checkbox "Zoom to 40 percent" [ref=e5]:
  - slider [ref=e6]: 40 percent
- checkbox "Paint it blue" [checked] [ref=e7]:
  - option "blue" [selected] [ref=e8]
- paragraph:
  - textbox "City" [ref=e9]: Bonn
  - textbox "Bonn" [ref=e10]
  - button "Clear Bonn" [ref=e11]
- paragraph: checkbox "Terms" [ref=e12] textbox "Terms" [ref=e13] [placeholder="Initials"]
- paragraph: button "Save" [ref=e14] textbox "Nickname" [ref=e15]
- button "Delete all files" [ref=e16]
- listbox "Colours":
  - option "Red" [ref=e17]: "#f00"
- combobox "Size" [ref=e18]: Small (Small | Large)
- button "Chip" [ref=e19]`,
  book: `- navigation "Contents":
  - link "Chapter one" [ref=e1]
- main:
  - complementary: Aside in main
  - region "Chapter one":
    - heading "One" [level=2]
    - heading "A beginning"
    - paragraph: Some words. link "1" [ref=e2]
    - text: In short | Read on
  - article: Aside in an article
- list:
  - listitem: 1. A note link "back" [ref=e3]
- text: Region without a name | Form without a name | Section with a dangling label`,
  badges: `- paragraph: Red Blue 12
- paragraph: New Sale
- paragraph: Total €12
- paragraph: Inbox 3 unread
- paragraph: unbelievable
- paragraph: Left right
- paragraph: Word
- heading "Notes" [level=2]
- paragraph: Please leave the parcel with the neighbours if nobody is at home.
- textbox "Delivery notes" [ref=e1]: "Please ring the bell\\n\\nand wait a moment"`,
};

test.each(Object.entries(screenshots))('the %s page reads as it looks', async (name, expected) => {
  expect(await seen.lines(zoo[name]?.() ?? '')).toBe(expected);
});

test('text in the colour of its background is judged by its fill colour', async () => {
  const html =
    '<body style="background:#fff"><p style="color:#fff">a</p><p style="color:#fff;-webkit-text-fill-color:#000">b</p>' +
    '<p style="color:#000;-webkit-text-fill-color:#fff">c</p><p style="color:#000;-webkit-text-fill-color:#fff;background:#000">d</p>';
  expect(await seen.lines(html)).toBe('- paragraph: b\n- paragraph: d');
});

test('a dialog that only claims to be modal stays in its place', async () => {
  const html =
    '<button>Page</button><div role="dialog" aria-modal="true" aria-label="Chat" style="position:fixed;right:0;bottom:0;width:200px"><button>Send</button></div>';
  expect(await seen.lines(html)).toBe(
    '- button "Page" [ref=e1]\n- dialog "Chat" [ref=e2] [modal]:\n  - button "Send" [ref=e3]',
  );
});

test('of several modal dialogs the one in front comes first', async () => {
  const html =
    '<dialog id="a" aria-label="A"><button>In A</button></dialog><dialog id="b" aria-label="B"><button>In B</button></dialog>' +
    '<script>b.showModal(); a.showModal();</script>';
  const lines = (await seen.lines(html)).split('\n').filter((line) => !line.startsWith(' '));
  expect(lines.map((line) => line.replace(/ \[ref.*/, ''))).toEqual([
    '- dialog "A"',
    '- generic [out of reach from here on]',
    '- dialog "B"',
  ]);
});

test('interactive elements behind a modal dialog are listed after the line that says so', async () => {
  expect(await seen.lines(zoo['modal']?.() ?? '', { interactiveOnly: true })).toBe(
    '- dialog "Delete order" [ref=e1] [modal]:\n  - button "Delete" [active] [ref=e2]\n  - button "Keep" [ref=e3]\n' +
      '- generic [out of reach from here on]\n- link "Home" [ref=e4]\n- button "New order" [ref=e5]\n' +
      '- link "Imprint" [ref=e6]',
  );
});
