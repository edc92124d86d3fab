import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../random.ts';
import type { CallTool, ToolAnswer } from '../server-client.ts';
import type { CountingSite } from './counting-site.ts';
import { nextStep, readCount } from './work.ts';
import type { Step } from './work.ts';

/** Errors of calls during which the soak killed a process, and of calls that were too slow for a busy machine. */
const expectedKinds = new Set([
  'BROWSER_CRASHED',
  'PAGE_CRASHED',
  'PAGE_UNRESPONSIVE',
  'TAB_CLOSED',
  'TIMEOUT',
  'NAVIGATION_TIMEOUT',
  'NAVIGATION_FAILED',
]);

const mostAttempts = 5;

/** What a worker found out about its clicks. */
export interface Tally {
  calls: number;
  /** Clicks that were acknowledged. */
  clicks: number;
  /** Clicks of which the answer said that their effect is not known. */
  unknown: number;
  /** Errors by kind. */
  readonly errors: Map<string, number>;
  /** What must not happen, in words. */
  readonly problems: string[];
}

/** Works in one session at random until it is stopped, and counts what the server acknowledges. */
export class Worker {
  readonly who: string;
  readonly tally: Tally = { calls: 0, clicks: 0, unknown: 0, errors: new Map(), problems: [] };
  readonly #call: CallTool;
  readonly #site: CountingSite;
  readonly #random: Random;
  #round = 0;

  constructor(who: string, call: CallTool, site: CountingSite, seed: number) {
    this.who = who;
    this.#call = call;
    this.#site = site;
    this.#random = new Random(seed);
  }

  async run(isOver: () => boolean): Promise<void> {
    await this.#step('navigate');
    while (!isOver()) await this.#step(nextStep(this.#random));
  }

  /** Compares what the page and the site counted with what was acknowledged. */
  async check(): Promise<void> {
    const failure = await this.#failure();
    if (failure !== undefined) this.tally.problems.push(`${this.who} does not work again: ${failure.slice(0, 300)}`);
    const { clicks, unknown, problems } = this.tally;
    const deadline = Date.now() + 5000;
    while (this.#site.clicksOf(this.who) < clicks && Date.now() < deadline) await pause(50);
    const atSite = this.#site.clicksOf(this.who);
    if (atSite < clicks) problems.push(`${this.who}: ${clicks} clicks acknowledged, ${atSite} at the site`);
    if (atSite > clicks + unknown) problems.push(`${this.who}: ${atSite} clicks at the site, ${clicks} acknowledged`);
    await this.#checkStorage();
  }

  /** Why the session does not work again after the last fault, if so. */
  async #failure(): Promise<string | undefined> {
    let text: string | undefined;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const answer = await this.#take('navigate');
      if (!answer.isError) return undefined;
      ({ text } = answer);
    }
    return text;
  }

  /** What an acknowledged click has stored must survive the browser. */
  async #checkStorage(): Promise<void> {
    const answer = await this.#call('browser_evaluate', { function: readCount });
    const { clicks, unknown, problems } = this.tally;
    if (answer.isError) return;
    const stored = Number(/^### Result\n(\d+)/m.exec(answer.text)?.[1] ?? Number.NaN);
    if (!(stored >= clicks && stored <= clicks + unknown)) {
      problems.push(`${this.who}: ${clicks} clicks acknowledged and ${unknown} uncertain, ${stored} in localStorage`);
    }
  }

  async #step(step: Step): Promise<void> {
    const answer = await this.#take(step);
    this.tally.calls++;
    if (answer.isError) {
      const kind = answer.kind ?? 'unknown';
      this.tally.errors.set(kind, (this.tally.errors.get(kind) ?? 0) + 1);
      // The page was not back in time.
      if (kind === 'ELEMENT_NOT_FOUND') await this.#take('navigate');
      else if (!expectedKinds.has(kind)) this.tally.problems.push(`${this.who}: ${step}: ${answer.text.slice(0, 200)}`);
    }
    if (step === 'click') this.#noteClick(answer);
    if (answer.text.includes('The browser was lost')) await this.#checkStorage();
    // A page of the breaker, or one that could not be reopened, has no button.
    if (answer.text.includes('Could not reopen') || answer.text.includes('was not reopened'))
      await this.#take('navigate');
  }

  #noteClick(answer: ToolAnswer): void {
    if (!answer.isError) this.tally.clicks++;
    else if (answer.effect !== 'none') this.tally.unknown++;
  }

  async #take(step: Step): Promise<ToolAnswer> {
    switch (step) {
      case 'navigate':
        return this.#call('browser_navigate', { url: this.#site.url(this.who, ++this.#round) });
      case 'snapshot':
        return this.#call('browser_snapshot', {});
      case 'click':
        return this.#call('browser_click', { selector: '#go' });
      case 'type':
        return this.#call('browser_type', { selector: '#name', text: `text ${this.#random.below(1e6)}` });
      case 'evaluate':
        return this.#call('browser_evaluate', { function: '() => document.title' });
      default:
        return step satisfies never;
    }
  }
}
