import type { Check } from './measure.ts';
import { timed } from './measure.ts';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { AgentBrowserDriver, DevtoolsDriver } from './peer-drivers.ts';
import { McpDriver } from './servers.ts';
import type { Answer, ContestantName, Sought } from './servers.ts';
import { find } from './shop-goods.ts';
import type { Suite } from './suite.ts';

/** One action, and the text that proves it worked. */
export interface Step {
  readonly on: Sought;
  /** If absent, the element is clicked. */
  readonly type?: string;
  readonly submit?: boolean;
  readonly expect: string;
  /** The same for a peer whose snapshots do not show the state of buttons. */
  readonly expectStateless?: string;
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
export const steps: readonly Step[] = [
  { ...type('searchbox', 'Search products', 'tea pot', 'Results for tea pot'), submit: true },
  { on: { role: 'checkbox', name: 'Ceramic' }, expect: `${ceramic} products` },
  button('Lowest price', product),
  link(product, 'Goes well with'),
  { on: { role: 'radio', name: 'Large' }, expect: '51.00 EUR' },
  { ...button('Green', 'pressed'), expectStateless: 'Green' },
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
export const confirmation = [`3 x ${product}, Green, Large, to Porto`, 'You pay 137.70 EUR'];
const mostLooks = 3;

type TaskDriver = McpDriver | DevtoolsDriver | AgentBrowserDriver;

/** The model's side of the task: what it was shown, and the cost. */
class Shopper {
  calls = 0;
  tokens = 0;
  ms = 0;
  readonly #driver: TaskDriver;
  readonly #lookAlways: boolean;
  /** Lines with refs, newest first. */
  #lines: readonly string[] = [];
  #seen = '';

  /** `lookAlways`: this server's answers do not show the page, so each action is followed by a snapshot. */
  constructor(driver: TaskDriver, lookAlways: boolean) {
    this.#driver = driver;
    this.#lookAlways = lookAlways;
  }

  get seen(): string {
    return this.#seen;
  }

  async open(url: string): Promise<void> {
    await this.#act(() => this.#driver.navigate(url));
    // Its navigation does not show the page; its actions do.
    if (this.#driver instanceof DevtoolsDriver) await this.#look();
  }

  async take({ on, type: text, submit = false, ...proof }: Step): Promise<void> {
    const isStateless = this.#driver instanceof AgentBrowserDriver;
    const expect = (isStateless ? proof.expectStateless : undefined) ?? proof.expect;
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
    const driver = this.#driver;
    const canSearch = search !== undefined && driver instanceof McpDriver;
    const look = () => (canSearch ? driver.call('browser_snapshot', { search }) : driver.snapshot());
    return this.#count(look, canSearch);
  }

  async #refOf(sought: Sought): Promise<string> {
    const known = (): string | undefined => {
      for (const line of this.#lines) {
        const ref = this.#driver.refInLine(line, sought);
        if (ref !== undefined) return ref;
      }
      return undefined;
    };
    const canSearch = this.#driver instanceof McpDriver && !this.#lookAlways;
    if (known() === undefined) await this.#look(canSearch ? sought.name : undefined);
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
    const isWhole = /```yaml|## Latest page snapshot|^- (?:generic|document)/m.test(value.text);
    this.#lines = isPart || !isWhole ? [...lines, ...this.#lines] : lines;
  }
}

/** A call of the lean and the batch strategy. */
interface Move {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

function moveOf({ on, type: text, submit }: Step): Move {
  const target = `${on.role} "${on.name}"`;
  if (text === undefined) return { tool: 'browser_click', args: { target } };
  return { tool: 'browser_type', args: { target, text, ...(submit === true ? { submit } : {}) } };
}

/** Texts that an agent which does not see the page looks for: the product, the sum, the rejected form, the end. */
const landmarks: ReadonlySet<string> = new Set([
  product,
  '153.00 EUR',
  '137.70 EUR',
  'Enter your postcode',
  'Your order is confirmed',
]);
/** How many steps each batch has. */
const batches: readonly number[] = [3, 6, 4, 5, 1];

interface Walked {
  readonly calls: number;
  readonly tokens: number;
  readonly ms: number;
  readonly isDone: boolean;
}

/** Acts by role and name without being shown the page, and looks for a few texts with `browser_find`. */
async function walkLean(driver: McpDriver, url: string): Promise<Walked> {
  const counter = new Counter(driver);
  const quiet = { snapshotMode: 'none' };
  await counter.call('browser_navigate', { url, ...quiet });
  for (const step of steps) {
    const { tool, args } = moveOf(step);
    await counter.call(tool, { ...args, ...quiet });
    if (!landmarks.has(step.expect)) continue;
    const { text } = await counter.call('browser_find', { text: step.expect });
    if (!text.includes(step.expect)) throw new Error(`there is no "${step.expect}"`);
  }
  return counter.end(await driver.snapshot());
}

/** Sends the steps up to the next thing to check as one batch, which ends with a search for it and shows no page. */
async function walkBatches(driver: McpDriver, url: string): Promise<Walked> {
  const counter = new Counter(driver);
  await counter.call('browser_navigate', { url });
  let at = 0;
  for (const count of batches) {
    const part = steps.slice(at, at + count);
    at += count;
    const text = part.at(-1)?.expect ?? '';
    const search: Move = { tool: 'browser_find', args: { text } };
    const answer = await counter.call('browser_batch', { steps: [...part.map(moveOf), search], snapshotMode: 'none' });
    if (!answer.text.includes(text)) throw new Error(`there is no "${text}"`);
  }
  return counter.end(await driver.snapshot());
}

class Counter {
  calls = 0;
  tokens = 0;
  ms = 0;
  readonly #driver: McpDriver;

  constructor(driver: McpDriver) {
    this.#driver = driver;
  }

  async call(tool: string, args: Record<string, unknown>): Promise<Answer> {
    const { ms, value } = await timed(() => this.#driver.call(tool, args));
    this.calls += 1;
    this.ms += ms;
    this.tokens += countTokens(value.text);
    return value;
  }

  end({ text }: Answer): Walked {
    const { calls, tokens, ms } = this;
    return { calls, tokens, ms, isDone: confirmation.every((line) => text.includes(line)) };
  }
}

async function walkSeeing(driver: TaskDriver, url: string): Promise<Walked> {
  if (driver instanceof DevtoolsDriver) driver.showsPage = true;
  try {
    const shopper = new Shopper(driver, driver.name === 'peer' || driver instanceof AgentBrowserDriver);
    await shopper.open(url);
    for (const step of steps) await shopper.take(step);
    const { calls, tokens, ms, seen } = shopper;
    return { calls, tokens, ms, isDone: confirmation.every((line) => seen.includes(line)) };
  } finally {
    if (driver instanceof DevtoolsDriver) driver.showsPage = false;
  }
}

/** The same purchase through each server, reading the page after each action; with pagehelm in two more ways. */
export async function runTask({ recorder, site, drivers, others, rounds, progress }: Suite): Promise<readonly Check[]> {
  progress('task: buying in a shop');
  const done = new Map<ContestantName, { held: number; of: number }>();
  let visit = 0;
  const walk = async (driver: TaskDriver, round: number, way: '' | '.lean' | '.batch'): Promise<void> => {
    const url = site.at(`/shop/${driver.name}${(visit += 1)}`);
    const isOwn = driver instanceof McpDriver;
    const walked =
      way !== '' && isOwn
        ? await (way === '.lean' ? walkLean : walkBatches)(driver, url)
        : await walkSeeing(driver, url);
    if (round < 0) return;
    const how = { '': '', '.lean': ', lean', '.batch': ', batches' }[way];
    recorder.add({ id: `task${way}.wall`, title: `shop task${how}, 20 steps`, unit: 'ms' }, driver.name, walked.ms);
    recorder.add(
      { id: `task${way}.tokens`, title: `shop task${how}, answers`, unit: 'tokens' },
      driver.name,
      walked.tokens,
    );
    recorder.add({ id: `task${way}.calls`, title: `shop task${how}`, unit: 'calls' }, driver.name, walked.calls);
    const { held, of } = done.get(driver.name) ?? { held: 0, of: 0 };
    done.set(driver.name, { held: held + Number(walked.isDone), of: of + 1 });
  };
  await recorder.interleave('task', [...drivers, ...others], Math.ceil(rounds / 4), async (driver, round) => {
    await walk(driver, round, '');
    if (driver.name !== 'pagehelm') return;
    await walk(driver, round, '.lean');
    await walk(driver, round, '.batch');
  });
  return [{ id: 'task.done', title: 'the order is confirmed as intended', counts: Object.fromEntries(done) }];
}
