import { readFileSync } from 'node:fs';
import { withSection } from '../../src/docs/markdown.ts';
import { expect, test } from '../fixtures.ts';

const products = Array.from({ length: 200 }, (_, index) => `Lamp ${index + 1}`);

/** A shop whose cart is updated after a request. */
const shop = `<!doctype html><title>Lamps</title><style>li { line-height: 75px }</style><h1>Lamps</h1>
<ul>${products
  .map((name, index) => {
    const price = `€${20 + index}.90`;
    return `<li><a href="/lamps/${index + 1}">${name}</a> ${price} <button onclick="add('${name}')">Add to cart</button></li>`;
  })
  .join('')}</ul>
<p role="status">Your cart is empty</p><button id="pay" disabled>Check out</button>
<script>
  async function add(name) {
    await fetch('/cart');
    document.querySelector('[role=status]').textContent = '1 item: ' + name;
    document.querySelector('#pay').disabled = false;
  }
</script>`;

test('the transcript in README.md is what the server answers', async ({ site, call }) => {
  site.set('/', shop);
  site.set('/cart', 'ok');
  const origin = site.url('').replace(/\/$/, '');
  const lines: string[] = [];
  const record: typeof call = async (name, ...rest) => {
    const answer = await call(name, ...rest);
    lines.push(`> ${name} ${JSON.stringify(rest[0] ?? {})}`, '', answer.text, '');
    return answer;
  };
  const page = await record('browser_navigate', { url: site.url('/') });
  const refOf = (button: string): string =>
    new RegExp(`"${button}" [^"]*?\\[ref=(e\\d+)\\]`).exec(page.text)?.[1] ?? '';
  await record('browser_click', { ref: refOf('Check out') });
  await record('browser_click', { ref: refOf('Add to cart') });
  const transcript = lines.join('\n').trimEnd().replaceAll(origin, 'http://127.0.0.1:4173');
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  await expect(withSection(readme, 'transcript', `~~~~text\n${transcript}\n~~~~`)).toMatchFileSnapshot(
    '../../README.md',
  );
});
