/** Test pages for common patterns of real sites. Each is a function, some with a size. */

import {
  backdropPage,
  badgesPage,
  bookPage,
  concealedPage,
  countersPage,
  drawingsPage,
  embeddedPage,
  labelsPage,
  markersPage,
  modalPage,
  mutedPage,
  textCasePage,
} from './visual-pages.ts';

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

/** Every kind of field and of label. */
export function formPage(): string {
  const types = ['text', 'email', 'tel', 'url', 'search', 'password', 'number', 'date', 'time', 'color', 'file'];
  return page(
    'Registration',
    `<header><h1>Create an account</h1></header><main><form aria-label="Registration">
    ${times(types.length, (i) => `<p><label for="f${i}">Field ${types[i]}</label> <input id="f${i}" type="${types[i]}"></p>`)}
    <label>Wrapped <input value="inside"></label>
    <input placeholder="Only a hint"><input title="Only a title"><input aria-label="Only aria" required>
    <span id="l1">Two</span> <span id="l2">parts</span><input aria-labelledby="l1 l2">
    <textarea aria-label="Notes">first
second</textarea>
    <fieldset><legend>Plan</legend>
      <label><input type="radio" name="plan" checked> Basic</label><label><input type="radio" name="plan"> Pro</label>
    </fieldset>
    <fieldset disabled><legend>Later</legend><label>Coupon <input></label><button>Apply coupon</button></fieldset>
    <label><input type="checkbox" checked> Newsletter</label>
    <div role="checkbox" aria-checked="mixed" tabindex="0">Some</div>
    <button type="button" role="switch" aria-checked="true">Dark mode</button>
    <label>Country <select><option>Austria</option><option selected>Belgium</option></select></label>
    <label>Year <select>${times(60, (i) => `<option>${1960 + i}</option>`)}</select></label>
    <label>Topics <select multiple><option selected>Art</option><option selected>Bees</option><option>Cars</option></select></label>
    <input type="range" aria-label="Volume" value="30"><progress value="3" max="10" aria-label="Progress"></progress>
    <input aria-label="Card" autocomplete="cc-number" value="4111111111111111">
    <input aria-label="Code" autocomplete="one-time-code" value="123456">
    <input type="password" aria-label="Secret" value="hunter2">
    <input list="cities" aria-label="City"><datalist id="cities"><option>Bonn</option></datalist>
    <div contenteditable="true" aria-label="Message">Hello</div>
    <button type="submit">Register</button><button disabled>Wait</button><input type="reset" value="Start over">
    </form></main><footer><a href="/terms">Terms</a></footer>`,
  );
}

export function framesPage(): string {
  return page(
    'Frames',
    `<h1>Outside</h1><iframe title="First" srcdoc="<button>Inside one</button>"></iframe>
    <p>Between</p><iframe title="Second" srcdoc="<iframe title=Deep srcdoc='<button>Inside two</button>'></iframe>"></iframe>`,
  );
}

export function shadowPage(): string {
  return page(
    'Shadows',
    `<my-card><span slot="title">Slotted title</span><button>Slotted button</button></my-card><my-outer></my-outer>
    <my-closed></my-closed><script>
    customElements.define('my-card', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'open' }).innerHTML =
        '<section aria-label="Card"><h2><slot name="title">No title</slot></h2><slot></slot><button>Own button</button><slot name="none">Fallback</slot></section>'; } });
    customElements.define('my-inner', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'open' }).innerHTML = '<label for="x">Deep field</label><input id="x">'; } });
    customElements.define('my-outer', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'open' }).innerHTML = '<my-inner></my-inner><a href="/deep">Deep link</a>'; } });
    customElements.define('my-closed', class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: 'closed' }).innerHTML = '<button>Unreachable</button>'; } });
    </script><style>my-closed { display: inline-block; width: 120px; height: 40px }</style>`,
  );
}

/** `render(names)` re-renders the list, as frameworks do. */
export function rerenderPage(): string {
  return page(
    'List',
    `<ul id="list"></ul><button id="lone">Refresh</button><script>
    function render(names) { document.getElementById('list').innerHTML = names.map((name) =>
      '<li><span>' + name + '</span> <button>Edit</button> <button>Delete</button></li>').join(''); }
    render(['Ada', 'Grace', 'Linus']);</script>`,
  );
}

export function dialogPage(): string {
  return page(
    'Dialogs',
    `<button>Behind</button><dialog id="native" aria-label="Native"><p>Are you sure?</p><button>Yes</button><button>No</button></dialog>
    <div role="dialog" aria-modal="true" aria-labelledby="t"><h2 id="t">Settings</h2><label>Name <input></label><button aria-label="Close">×</button></div>
    <div role="alert">Saved</div><script>document.getElementById('native').showModal();</script>`,
  );
}

export function picturePage(): string {
  return page(
    'Pictures',
    `<canvas width="200" height="100"></canvas><canvas aria-label="Chart" width="200" height="100"></canvas>
    <img alt="A cat" src="data:,"><img alt="" src="data:,"><img src="data:," width="100" height="100"><img src="data:," width="5" height="5">
    <svg width="20" height="20"><title>Star</title><path d="M0 0"/></svg><button><svg width="20" height="20"></svg></button>
    <svg width="200" height="50"><text x="5" y="20">Axis label</text></svg><video width="200" height="100"></video>
    <a href="/home"><img alt="Home" src="data:,"></a>`,
  );
}

export function virtualListPage(): string {
  return page(
    'Virtual',
    `<div role="listbox" aria-label="Rows" style="height:200px;overflow:auto"><div style="height:200000px;position:relative">
    ${times(12, (i) => `<div role="option" style="position:absolute;top:${i * 20}px" aria-selected="${i === 2}">Row ${i}</div>`)}</div></div>`,
  );
}

export function tablePage(rows = 3000): string {
  return page(
    'Orders',
    `<h1>Orders</h1><table><caption>All orders</caption><thead><tr><th>Order</th><th>Customer</th><th>Total</th><th>Status</th><th></th></tr></thead><tbody>
    ${times(rows, (i) => `<tr><td>#${10_000 + i}</td><td>Customer ${i % 97}</td><td>$${((i * 7.35) % 500) | 0}.00</td><td>${i % 3 === 0 ? 'open' : 'sent'}</td><td><a href="/orders/${10_000 + i}/edit">Edit</a></td></tr>`)}
    </tbody></table>`,
  );
}

export function gridPage(products = 200): string {
  return page(
    'Shop',
    `<header><a href="/">Shop</a><nav aria-label="Main"><ul><li><a href="/new">New</a></li><li><a href="/sale">Sale</a></li></ul></nav>
    <form role="search"><input type="search" aria-label="Search products"><button>Search</button></form></header>
    <main><h1>All products</h1><div class="grid">
    ${times(
      products,
      (
        i,
      ) => `<div class="card"><a href="/products/${i}"><img alt="Product ${i}" src="data:," width="120" height="120"></a>
      <div class="body"><h3><a href="/products/${i}">Product ${i}</a></h3><div class="meta"><span class="stars">4.${i % 10} out of 5</span>
      <span class="price">$${20 + i}.99</span></div><p class="text">A useful thing for everyday work, number ${i}.</p>
      <div class="actions"><button>Add to cart</button><button aria-label="Save Product ${i}">♡</button></div></div></div>`,
    )}</div></main>`,
    '<style>.grid{display:grid;grid-template-columns:repeat(4,1fr)}.card{border:1px solid}</style>',
  );
}

export function menuPage(): string {
  return page(
    'Menus',
    `<div role="menubar" aria-label="Application"><div role="menuitem" tabindex="0" aria-haspopup="true" aria-expanded="true">File</div>
    <div role="menu" aria-label="File"><div role="menuitem" tabindex="-1">New</div><div role="menuitemcheckbox" aria-checked="true" tabindex="-1">Autosave</div>
    <div role="menuitemradio" aria-checked="false" tabindex="-1">Compact</div><div role="separator"></div><div role="menuitem" aria-disabled="true">Print</div></div></div>
    <div role="tablist"><button role="tab" aria-selected="true">One</button><button role="tab" aria-selected="false">Two</button></div><div role="tabpanel" aria-label="One">Panel one</div>
    <ul role="tree"><li role="treeitem" aria-expanded="false" aria-level="1">Folder</li><li role="treeitem" aria-level="1">File</li></ul>
    <button aria-pressed="true">Bold</button><button aria-expanded="false">More</button><details open><summary>Details</summary>Shown</details><details><summary>Closed</summary>Not shown</details>`,
  );
}

export function articlePage(paragraphs = 40): string {
  return page(
    'Bees',
    `<nav><a href="/">Home</a> <a href="/topics">Topics</a></nav><main><article><h1>On bees</h1><p>By <a href="/people/jo">Jo</a>, <time datetime="2024-05-01">1 May 2024</time></p>
    ${times(
      paragraphs,
      (
        i,
      ) => `${i % 8 === 0 ? `<h2>Part ${i / 8 + 1}</h2>` : ''}<p>Bees of the <a href="/wiki/kind-${i}">kind ${i}</a> live in <em>colonies</em> and collect
      nectar, <a href="/wiki/pollen#s${i}">pollen</a> and water<sup><a href="#note-${i}">[${i}]</a></sup>. They are known for their dances, which tell others where food is.</p>`,
    )}
    <ul><li>One point</li><li>Another <strong>point</strong></li><li><a href="https://example.org/more">More</a></li></ul><blockquote>To bee or not to bee</blockquote></article></main><footer>© Jo</footer>`,
  );
}

export function shopPage(): string {
  return page(
    'Small shop',
    `<header><a href="/">Home</a><a href="/cart" aria-label="Cart, 2 items">🛒 2</a></header><main><h1>Tea pot</h1><img alt="A blue tea pot" src="data:,">
    <p>Was <del>$40</del> <strong>$30</strong></p><div class="swatches"><div class="swatch" style="cursor:pointer" title="Blue"></div><div class="swatch" style="cursor:pointer">Green</div></div>
    <label>Quantity <input type="number" value="1" min="1"></label><button>Add to cart</button>
    <div onclick="void 0">Size guide</div><div tabindex="0">Reviews (12)</div>
    <table><tr><th scope="row">Weight</th><td>1 kg</td></tr><tr><th scope="row">Colour</th><td>Blue</td></tr></table></main>`,
    '<style>.swatch{width:30px;height:30px}</style>',
  );
}

/** Invisible content, and visible content that looks hidden. */
export function hiddenPage(): string {
  return page(
    'Hidden',
    `<p style="display:none">gone</p><p style="visibility:hidden">unseen <b style="visibility:visible">seen</b></p><p hidden>gone</p>
    <p style="opacity:0">transparent</p><p style="font-size:0">tiny</p><p style="color:#fff">white on white</p><p style="position:absolute;left:-9999px">far away</p>
    <p class="sr">for screen readers</p><button><span class="sr">Close</span><span aria-hidden="true">×</span></button>
    <div style="content-visibility:hidden"><button>not rendered</button></div><div style="height:0;overflow:hidden"><button>collapsed</button></div>
    <div aria-hidden="true"><button>hidden from readers</button> words</div><div inert><button>inert</button></div>
    <label class="box"><input type="checkbox" style="opacity:0;position:absolute"> Custom box</label>
    <label>Upload<input type="file" style="display:none"></label><template><button>template</button></template><noscript><button>noscript</button></noscript>
    <p style="color:#fff;background:#000">white on black</p>`,
    '<style>.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}</style>',
  );
}

/** About this many elements, half of them interactive. */
export function bigPage(elements: number): string {
  return page(
    'Big',
    `<main>${times(Math.round(elements / 5), (i) => `<div class="item"><span>Text ${i}</span><a href="/p/${i}">Link ${i}</a><button>Do ${i}</button><em>note ${i}</em></div>`)}</main>`,
  );
}

export const zoo: Readonly<Record<string, () => string>> = {
  article: () => articlePage(),
  backdrop: backdropPage,
  badges: badgesPage,
  big: () => bigPage(100),
  book: bookPage,
  concealed: concealedPage,
  counters: countersPage,
  dialogs: dialogPage,
  drawings: drawingsPage,
  embedded: embeddedPage,
  form: formPage,
  frames: framesPage,
  grid: () => gridPage(12),
  hidden: hiddenPage,
  labels: labelsPage,
  markers: markersPage,
  menus: menuPage,
  modal: modalPage,
  muted: mutedPage,
  pictures: picturePage,
  rerender: rerenderPage,
  shadows: shadowPage,
  shop: shopPage,
  table: () => tablePage(10),
  'text-case': textCasePage,
  virtual: virtualListPage,
};
