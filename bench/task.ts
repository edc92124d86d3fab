import type { Check } from './measure.ts';
import { timed } from './measure.ts';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { refInLine } from './servers.ts';
import type { Answer, McpDriver, ServerName, Sought } from './servers.ts';
import { find } from './shop-goods.ts';
import type { Suite } from './suite.ts';

/** One action, and the text that proves it worked. */
interface Step {
  readonly on: Sought;
  /** If absent, the element is clicked. */
  readonly type?: string;
  readonly submit?: boolean;
  readonly expect: string;
}

const product = 'Grove ceramic tea pot 30';
const ceramic = find({ text: 'tea pot', material: 'Ceramic', sort: undefined }).length;
const button = (name: string, expect: string): Step => ({ on: { role: 'button', name }, expect });
const link = (name: string, expect: string): Step => ({ on: { role: 'link', name }, expect });
const type = (role: string, name: string, text: string, expect = text): Step => ({
  on: { role, name },
  type: text,
  expect,
});

/** The steps after opening the page: twenty in all. */
const steps: readonly Step[] = [
  { ...type('searchbox', 'Search products', 'tea pot', 'Results for tea pot'), submit: true },
  { on: { role: 'checkbox', name: 'Ceramic' }, expect: `${ceramic} products` },
  button('Lowest price', product),
  link(product, 'Goes well with'),
  { on: { role: 'radio', name: 'Large' }, expect: '51.00 EUR' },
  button('Green', 'pressed'),
  { on: { role: 'tab', name: 'Delivery' }, expect: 'Returns are free' },
  button('Add to cart', 'Added to your cart'),
  link('Cart, 1 items', 'Your cart'),
  type('spinbutton', 'Quantity', '3'),
  button('Update cart', '153.00 EUR'),
  type('textbox', 'Coupon', 'TEA10'),
  button('Apply coupon', '137.70 EUR'),
  link('Go to checkout', 'Place order'),
  type('textbox', 'Name', 'Ada Berg'),
  type('textbox', 'Street', 'Hill Road 5'),
  type('textbox', 'City', 'Porto'),
  button('Place order', 'Enter your postcode'),
  { ...type('textbox', 'Postcode', '4000-123', 'Your order is confirmed'), submit: true },
];
const confirmation = [`3 x ${product}, Green, Large, to Porto`, 'You pay 137.70 EUR'];
const mostLooks = 3;

/** The model's side of the task: what it was shown, and the cost. */
class Shopper {
  calls = 0;
  tokens = 0;
  ms = 0;
  readonly #driver: McpDriver;
  readonly #lookAlways: boolean;
  /** Lines with refs, newest first. */
  #lines: readonly string[] = [];
  #seen = '';

  /** `lookAlways`: this server's answers do not show the page, so each action is followed by a snapshot. */
  constructor(driver: McpDriver, lookAlways: boolean) {
    this.#driver = driver;
    this.#lookAlways = lookAlways;
  }

  get seen(): string {
    return this.#seen;
  }

  async open(url: string): Promise<void> {
    await this.#act(() => this.#driver.navigate(url));
  }

  async take({ on, type: text, submit = false, expect }: Step): Promise<void> {
    const ref = await this.#refOf(on);
    await this.#act(() => (text === undefined ? this.#driver.click(ref) : this.#driver.type(ref, text, submit)));
    for (let looks = 0; !this.#seen.includes(expect); looks += 1) {
      if (looks === mostLooks) throw new Error(`after ${on.role} "${on.name}" there is no "${expect}"`);
      await this.#look();
    }
  }

  async #act(work: () => Promise<Answer>): Promise<void> {
    this.#seen = '';
    await this.#count(work);
    if (this.#lookAlways) await this.#look();
  }

  #look(search?: string): Promise<void> {
    const args = search === undefined ? {} : { search };
    return this.#count(() => this.#driver.call('browser_snapshot', args), search !== undefined);
  }

  async #refOf(sought: Sought): Promise<string> {
    const known = (): string | undefined => {
      for (const line of this.#lines) {
        const ref = refInLine(line, sought);
        if (ref !== undefined) return ref;
      }
      return undefined;
    };
    if (known() === undefined) await this.#look(this.#lookAlways ? undefined : sought.name);
    const ref = known();
    if (ref === undefined) throw new Error(`${sought.role} "${sought.name}" is not in what was seen`);
    return ref;
  }

  async #count(work: () => Promise<Answer>, isPart = false): Promise<void> {
    const { ms, value } = await timed(work);
    this.calls += 1;
    this.ms += ms;
    this.tokens += countTokens(value.text);
    this.#seen += value.text;
    const lines = value.text.split('\n');
    // A full snapshot replaces the known lines; changes and parts add to them.
    this.#lines = isPart || !value.text.includes('```yaml') ? [...lines, ...this.#lines] : lines;
  }
}

/** The same purchase through each server, reading the page after each action. */
export async function runTask({ recorder, site, drivers, rounds, progress }: Suite): Promise<readonly Check[]> {
  progress('task: buying in a shop');
  const done = new Map<ServerName, { held: number; of: number }>();
  await recorder.interleave('task', drivers, Math.ceil(rounds / 4), async (driver, round) => {
    const shopper = new Shopper(driver, driver.name === 'peer');
    await shopper.open(site.at(`/shop/${driver.name}${round + 1}`));
    for (const step of steps) await shopper.take(step);
    if (round < 0) return;
    const { calls, tokens, ms, seen } = shopper;
    recorder.add({ id: 'task.wall', title: 'shop task, 20 steps', unit: 'ms' }, driver.name, ms);
    recorder.add({ id: 'task.tokens', title: 'shop task, answers', unit: 'tokens' }, driver.name, tokens);
    recorder.add({ id: 'task.calls', title: 'shop task', unit: 'calls' }, driver.name, calls);
    const { held, of } = done.get(driver.name) ?? { held: 0, of: 0 };
    const isConfirmed = confirmation.every((text) => seen.includes(text));
    done.set(driver.name, { held: held + Number(isConfirmed), of: of + 1 });
  });
  return [{ id: 'task.done', title: 'the order is confirmed as intended', counts: Object.fromEntries(done) }];
}
