import { coupons, find, products } from './shop-goods.ts';
import { cards, cartPage, checkoutPage, donePage, homePage, productPage, searchPage, sums } from './shop-pages.ts';
import type { Cart } from './shop-pages.ts';
import type { Reply, Route } from './site.ts';

/** Response times of the shop's endpoints. */
const apiMs = 40;
const onHome = 36;

/** A small shop on `/shop/<run>`, with one cart per run. */
export function shopRoute(): Route {
  const carts = new Map<string, Cart>();

  const api = (run: string, name: string | undefined, query: URLSearchParams): string | undefined => {
    const cart = carts.get(run);
    if (name === 'list') {
      const text = query.get('q') ?? '';
      const found = find({ text, material: query.get('material') || undefined, sort: query.get('sort') || undefined });
      return cards(run, found);
    }
    if (name === 'delivery')
      return '<p>Leaves us within one day, and is with you within three.</p><p>Returns are free for 30 days.</p>';
    if (name === 'add') {
      const product = products.find(({ id }) => id === Number(query.get('id')));
      if (product === undefined) return 'No such product';
      const [size, colour] = [query.get('size') ?? '', query.get('colour') ?? ''];
      carts.set(run, { product, size, colour, quantity: 1, discount: 0 });
      return 'Added to your cart';
    }
    if (name !== 'cart' || cart === undefined) return undefined;
    const quantity = Number(query.get('quantity') ?? cart.quantity);
    const discount = coupons[query.get('coupon') ?? ''] ?? cart.discount;
    const changed = { ...cart, quantity, discount };
    carts.set(run, changed);
    return sums(changed);
  };

  const page = (run: string, name: string, part: string | undefined, query: URLSearchParams): string | undefined => {
    const cart = carts.get(run);
    if (name === '') return homePage(run, products.slice(0, onHome));
    const text = query.get('q') ?? '';
    if (name === 'search') return searchPage(run, text, find({ text, material: undefined, sort: undefined }));
    if (name === 'product') {
      const product = products.find(({ id }) => id === Number(part));
      return product && productPage(run, product, products.slice(40, 48));
    }
    if (cart === undefined) return undefined;
    if (name === 'cart') return cartPage(run, cart, products.slice(50, 54));
    if (name === 'checkout') return checkoutPage(run, cart);
    return name === 'done' ? donePage(run, cart, query.get('name') ?? '', query.get('city') ?? '') : undefined;
  };

  return ({ pathname, searchParams }): Reply | undefined => {
    const [, shop, run, name = '', part] = pathname.split('/');
    if (shop !== 'shop' || run === undefined) return undefined;
    const body = name === 'api' ? api(run, part, searchParams) : page(run, name, part, searchParams);
    if (body === undefined) return undefined;
    return name === 'api' ? { body, delayMs: apiMs } : { body };
  };
}
