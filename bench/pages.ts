import type { Route } from './site.ts';

/** An element, found by role and name in a snapshot or by CSS. */
export interface Element {
  readonly role: string;
  readonly name: string;
  readonly css: string;
}

export interface BenchPage {
  readonly id: 'form' | 'products' | 'table';
  readonly title: string;
  /** A button without a listener. */
  readonly idle: Element;
}

export const formElements = {
  name: { role: 'textbox', name: 'Name', css: '#name' },
  save: { role: 'button', name: 'Save', css: '#save' },
  cancel: { role: 'button', name: 'Cancel', css: '#cancel' },
  load: { role: 'button', name: 'Load', css: '#load' },
  country: { role: 'combobox', name: 'Country', css: '#country' },
  news: { role: 'checkbox', name: 'News by mail', css: '#news' },
} as const satisfies Record<string, Element>;

export const formPage: BenchPage = { id: 'form', title: 'small form', idle: formElements.save };
export const pages: readonly BenchPage[] = [
  formPage,
  { id: 'products', title: '200 products', idle: { role: 'button', name: 'Filters', css: '#filters' } },
  { id: 'table', title: '3,000 rows', idle: { role: 'button', name: 'Export', css: '#export' } },
];

// Counts the events that reach the page, to detect actions that were answered but not performed. Does not modify elements.
const counters = `<script>
window.seen = { click: 0, keydown: 0, submit: 0, mouseup: 0 };
for (const type of Object.keys(seen)) addEventListener(type, () => seen[type]++, true);
</script>`;

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">${counters}</head><body>${body}</body></html>`;

const form = html(
  'Account',
  `<h1>Account</h1>
<form id="account">
<label>Name <input id="name"></label> <label>Email <input id="email" type="email"></label>
<label>Country <select id="country"><option>Chile</option><option>Japan</option><option>Norway</option></select></label>
<label><input id="news" type="checkbox"> News by mail</label>
<button id="save" type="button">Save</button> <button id="cancel" type="button">Cancel</button> <button id="send">Send</button>
</form>
<button id="load">Load</button><p id="out">nothing yet</p>
<script>
let count = 0;
document.getElementById('account').addEventListener('submit', (event) => event.preventDefault());
document.getElementById('load').addEventListener('click', async () => {
  const n = ++count;
  const answer = await fetch('/slow?ms=50&n=' + n);
  document.getElementById('out').textContent = await answer.text();
  window.written = { n, at: Date.now() };
});
</script>`,
);

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const products = html(
  'Products',
  `<header><nav><a href="/form">Account</a> <a href="/table">Orders</a></nav>
<label>Search <input type="search"></label> <button id="filters" type="button">Filters</button></header>
<main style="display:grid;grid-template-columns:repeat(4,1fr);gap:8px">
${range(200)
  .map(
    (n) =>
      `<article><h2><a href="#product-${n}">Product ${n}</a></h2><p>Made of part ${n * 7} and part ${n * 11}</p><p><strong>${(n * 1.25).toFixed(2)} EUR</strong> <span>${n % 5} of 5 stars</span></p><button type="button">Add product ${n} to cart</button></article>`,
  )
  .join('\n')}
</main>`,
);

const table = html(
  'Orders',
  `<h1>Orders</h1><p><button id="export" type="button">Export</button></p>
<table><thead><tr><th>Number</th><th>Customer</th><th>City</th><th>Date</th><th>Total</th></tr></thead><tbody>
${range(3000)
  .map(
    (n) =>
      `<tr><td>${10_000 + n}</td><td>Customer ${n % 97}</td><td>City ${n % 31}</td><td>2026-01-${String(1 + (n % 28)).padStart(2, '0')}</td><td>${((n * 37) % 900).toFixed(2)}</td></tr>`,
  )
  .join('\n')}
</tbody></table>`,
);

const bodies: ReadonlyMap<string, string> = new Map([
  ['/form', form],
  ['/products', products],
  ['/table', table],
]);

/** The pages above, and a slow endpoint. */
export const pagesRoute: Route = ({ pathname, searchParams }) => {
  if (pathname === '/slow') {
    const body = `answer ${searchParams.get('n')}`;
    return { body, type: 'text/plain', delayMs: Number(searchParams.get('ms')) };
  }
  const body = bodies.get(pathname);
  return body === undefined ? undefined : { body };
};
