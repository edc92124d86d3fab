import { colours, euros, kinds, materials, sizeExtra, sizes } from './shop-goods.ts';
import type { Product } from './shop-goods.ts';

export interface Cart {
  readonly product: Product;
  readonly size: string;
  readonly colour: string;
  readonly quantity: number;
  readonly discount: number;
}

const style = `<style>body{font:14px sans-serif;margin:0 16px}nav a,footer a{margin-right:8px}.cards{display:grid;
grid-template-columns:repeat(4,1fr);gap:12px}.card{border:1px solid #ccc;padding:8px}.columns{display:flex;gap:16px}
.side{width:180px}.error{color:#b00}label{display:block}</style>`;

const list = (items: readonly string[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** Page layout: header with categories and search, content, footer links. `run` separates visits. */
function layout(run: string, title: string, count: number, body: string): string {
  const at = (path: string): string => `/shop/${run}${path}`;
  const categories = kinds.map((kind) => `<a href="${at(`/search?q=${encodeURIComponent(kind)}`)}">${kind}s</a>`);
  const help = ['Delivery', 'Returns', 'Payment', 'Sizes', 'Contact', 'About us', 'Jobs', 'Press', 'Privacy', 'Terms'];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} - Tea and Table</title>
<link rel="icon" href="data:,">${style}</head><body>
<header><a href="${at('')}">Tea and Table</a><nav aria-label="Categories">${list(categories)}</nav>
<form role="search" action="${at('/search')}"><input type="search" name="q" aria-label="Search products"><button>Search</button></form>
<a href="/account">Account</a> <a id="cart" href="${at('/cart')}">Cart, ${count} items</a></header>
<main>${body}</main>
<footer><h2>Help</h2>${list(help.map((name) => `<a href="/help/${name.toLowerCase().replaceAll(' ', '-')}">${name}</a>`))}
<p>All prices include taxes. Orders before noon leave the same day.</p></footer></body></html>`;
}

function card(run: string, product: Product): string {
  const href = `/shop/${run}/product/${product.id}?from=list&position=${product.id}`;
  return `<div class="card"><a href="${href}"><img alt="" src="data:," width="120" height="90"></a>
<h3><a href="${href}">${product.name}</a></h3><div class="meta"><span>${product.stars} of 5</span> <span>(${product.reviews})</span></div>
<p>${product.text}</p><div><strong>${euros(product.price)}</strong></div><button type="button">Add to cart</button></div>`;
}

export const cards = (run: string, found: readonly Product[]): string =>
  `<p role="status">${found.length} products</p><div class="cards">${found.map((product) => card(run, product)).join('')}</div>`;

export function homePage(run: string, found: readonly Product[]): string {
  return layout(run, 'Home', 0, `<h1>New this week</h1>${cards(run, found)}`);
}

/** Filters and order are applied by the page, which fetches the list again. */
export function searchPage(run: string, text: string, found: readonly Product[]): string {
  const filters = materials.map((name) => `<label><input type="checkbox" value="${name}"> ${name}</label>`).join('');
  return layout(
    run,
    `Search ${text}`,
    0,
    `<h1>Results for ${text}</h1><div class="columns"><aside class="side"><h2>Material</h2>${filters}
<h2>Order</h2><button type="button" data-sort="">Best match</button> <button type="button" data-sort="price">Lowest price</button></aside>
<div id="list">${cards(run, found)}</div></div><script>
let sort = '';
const load = async () => {
  const box = document.querySelector('aside input:checked');
  const query = new URLSearchParams({ q: ${JSON.stringify(text)}, material: box ? box.value : '', sort });
  const answer = await fetch('/shop/${run}/api/list?' + query);
  document.getElementById('list').innerHTML = await answer.text();
};
for (const box of document.querySelectorAll('aside input')) box.addEventListener('change', load);
for (const button of document.querySelectorAll('aside button'))
  button.addEventListener('click', () => { sort = button.dataset.sort; load(); });
</script>`,
  );
}

const opinions = [
  'Pours well.',
  'Smaller than I thought.',
  'A fine present.',
  'Keeps warm for an hour.',
  'Well packed.',
];

export function productPage(run: string, product: Product, related: readonly Product[]): string {
  const facts = { Material: product.material, Weight: '640 g', Height: '14 cm', Holds: '0.8 l', Origin: 'Portugal' };
  const rows = Object.entries(facts).map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`);
  const radios = sizes.map(
    (size, i) => `<label><input type="radio" name="size" value="${size}"${i === 0 ? ' checked' : ''}> ${size}</label>`,
  );
  const reviews = opinions.map(
    (text, i) => `<article><h3>${text}</h3><p>${4 + (i % 2)} of 5, by buyer ${i + 1}, ${i + 2} May 2026</p>
<p>${text} I have used it every day since it came, and would buy it again.</p><button type="button">Helpful</button></article>`,
  );
  const others = related.map(
    (other) =>
      `<div class="card"><a href="/shop/${run}/product/${other.id}">${other.name}</a> <span>${euros(other.price)}</span></div>`,
  );
  return layout(
    run,
    product.name,
    0,
    `<nav aria-label="Breadcrumb"><a href="/shop/${run}">Home</a> <a href="/shop/${run}/search?q=${product.kind}">${product.kind}s</a></nav>
<h1>${product.name}</h1><img alt="${product.name}" src="data:," width="300" height="200"><p>${product.text}</p>
<p id="price">${euros(product.price)}</p><fieldset><legend>Size</legend>${radios.join('')}</fieldset>
<div role="group" aria-label="Colour">${colours.map((name) => `<button type="button" class="colour" aria-pressed="false">${name}</button>`).join(' ')}</div>
<button id="add" type="button">Add to cart</button><p role="status" id="said"></p>
<div role="tablist"><button role="tab" aria-selected="true">Facts</button><button role="tab" aria-selected="false" id="delivery">Delivery</button></div>
<div role="tabpanel" id="panel"><table>${rows.join('')}</table></div><h2>Reviews</h2>${reviews.join('')}
<h2>Goes well with</h2><div class="cards">${others.join('')}</div><script>
const byId = (id) => document.getElementById(id);
const extra = ${JSON.stringify(sizeExtra)};
const size = () => document.querySelector('input[name=size]:checked').value;
for (const radio of document.querySelectorAll('input[name=size]'))
  radio.addEventListener('change', () => { byId('price').textContent = (${product.price} + extra[size()]).toFixed(2) + ' EUR'; });
for (const button of document.querySelectorAll('.colour')) button.addEventListener('click', () => {
  for (const other of document.querySelectorAll('.colour')) other.setAttribute('aria-pressed', String(other === button)); });
byId('delivery').addEventListener('click', async () => {
  for (const tab of document.querySelectorAll('[role=tab]')) tab.setAttribute('aria-selected', String(tab.id === 'delivery'));
  byId('panel').innerHTML = await (await fetch('/shop/${run}/api/delivery')).text(); });
byId('add').addEventListener('click', async () => {
  const colour = document.querySelector('.colour[aria-pressed=true]')?.textContent ?? '';
  const query = new URLSearchParams({ id: ${product.id}, size: size(), colour });
  byId('said').textContent = await (await fetch('/shop/${run}/api/add?' + query)).text();
  byId('cart').textContent = 'Cart, 1 items'; });
</script>`,
  );
}

const piecePrice = ({ product, size }: Cart): number => product.price + (sizeExtra[size] ?? 0);
export const totalOf = (cart: Cart): number => piecePrice(cart) * cart.quantity * (1 - cart.discount);
export const nameOf = ({ product, size, colour }: Cart): string => `${product.name}, ${colour}, ${size}`;

export function sums(cart: Cart): string {
  const before = piecePrice(cart) * cart.quantity;
  const discount =
    cart.discount === 0 ? '' : `<tr><th scope="row">Discount</th><td>-${euros(before * cart.discount)}</td></tr>`;
  return `<table><tr><th scope="row">Goods</th><td>${euros(before)}</td></tr>${discount}
<tr><th scope="row">Delivery</th><td>free</td></tr><tr><th scope="row">Total</th><td>${euros(totalOf(cart))}</td></tr></table>`;
}

export function cartPage(run: string, cart: Cart, related: readonly Product[]): string {
  const others = related.map((other) => card(run, other));
  return layout(
    run,
    'Cart',
    1,
    `<h1>Your cart</h1><table><thead><tr><th>Product</th><th>Price</th><th>Quantity</th><th></th></tr></thead>
<tbody><tr><td><a href="/shop/${run}/product/${cart.product.id}">${nameOf(cart)}</a></td><td>${euros(piecePrice(cart))}</td>
<td><input id="quantity" type="number" value="${cart.quantity}" aria-label="Quantity"></td><td><button type="button">Remove</button></td></tr></tbody></table>
<button id="update" type="button">Update cart</button>
<label>Coupon <input id="coupon"></label><button id="apply" type="button">Apply coupon</button><p role="status" id="said"></p>
<div id="sums">${sums(cart)}</div><a href="/shop/${run}/checkout">Go to checkout</a>
<h2>Often bought together</h2><div class="cards">${others.join('')}</div><script>
const byId = (id) => document.getElementById(id);
const change = async (query, text) => {
  byId('sums').innerHTML = await (await fetch('/shop/${run}/api/cart?' + query)).text();
  byId('said').textContent = text; };
byId('update').addEventListener('click', () => change('quantity=' + byId('quantity').value, 'Cart updated'));
byId('apply').addEventListener('click', () => change('coupon=' + byId('coupon').value, 'Coupon applied'));
</script>`,
  );
}

export function checkoutPage(run: string, cart: Cart): string {
  const fields = ['Name', 'Street', 'City', 'Postcode'].map(
    (name) =>
      `<label>${name} <input name="${name.toLowerCase()}"></label><p class="error" role="alert" id="no-${name.toLowerCase()}"></p>`,
  );
  const countries = [
    'Austria',
    'Belgium',
    'Denmark',
    'Finland',
    'France',
    'Germany',
    'Ireland',
    'Italy',
    'Norway',
    'Portugal',
    'Spain',
    'Sweden',
  ];
  const radios = (name: string, all: readonly string[]): string =>
    `<fieldset><legend>${name}</legend>${all.map((text, i) => `<label><input type="radio" name="${name}"${i === 0 ? ' checked' : ''}> ${text}</label>`).join('')}</fieldset>`;
  return layout(
    run,
    'Checkout',
    1,
    `<h1>Checkout</h1><form id="form" action="/shop/${run}/done"><h2>Address</h2>${fields.join('')}
<label>Country <select name="country">${countries.map((name) => `<option>${name}</option>`).join('')}</select></label>
${radios('Delivery', ['Standard, 3 days', 'Express, 1 day', 'Pick up'])}${radios('Payment', ['Invoice', 'Card', 'Bank transfer'])}
<label><input type="checkbox" name="news"> Send me news</label><button>Place order</button></form>
<aside><h2>Your order</h2><p>${cart.quantity} x ${nameOf(cart)}</p>${sums(cart)}</aside><script>
document.getElementById('form').addEventListener('submit', (event) => {
  for (const field of event.target.querySelectorAll('label input[name]:not([type])')) {
    const isMissing = field.value === '';
    document.getElementById('no-' + field.name).textContent = isMissing ? 'Enter your ' + field.name : '';
    field.setAttribute('aria-invalid', String(isMissing));
    if (isMissing) event.preventDefault();
  }
});
</script>`,
  );
}

export function donePage(run: string, cart: Cart, name: string, city: string): string {
  return layout(
    run,
    'Thank you',
    0,
    `<h1>Thank you, ${name}</h1><p>Your order is confirmed: ${cart.quantity} x ${nameOf(cart)}, to ${city}.</p>
<p>You pay ${euros(totalOf(cart))}.</p><a href="/shop/${run}">Back to the shop</a>`,
  );
}
