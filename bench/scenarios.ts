import { formElements, formPage, pages } from './pages.ts';
import type { BenchPage } from './pages.ts';
import type { Site } from './site.ts';
import type { Answer, Driver } from './servers.ts';

/** Groups that measure single operations. */
export const foundationGroups = [
  'start',
  'first',
  'navigate',
  'click',
  'type',
  'press',
  'hover',
  'select',
  'check',
  'drag',
  'snapshot',
  'evaluate',
  'screenshot',
  'tabs',
  'batch',
  'fetch',
  'tokens',
  'memory',
] as const;
/** Suites that measure whole tasks. */
const suiteGroups = ['task', 'settle', 'anatomy', 'growth', 'sessions', 'http'] as const;
export const groups = [...foundationGroups, ...suiteGroups] as const;
export type Group = (typeof groups)[number];

type Work = (round: number) => Promise<Answer>;

/** An operation that is timed repeatedly on an open page. */
export interface Scenario {
  readonly id: string;
  readonly group: Group;
  readonly title: string;
  /** Slow: takes fewer rounds. */
  readonly isSlow: boolean;
  /** Opens the page and returns the operation to time. */
  readonly prepare: (driver: Driver) => Promise<Work>;
  /** What the page reports after all rounds and the warm-up if every action was performed. */
  readonly proof?: (rounds: number) => Proof;
}

interface Proof {
  readonly source: string;
  readonly expected: string;
}

interface Definition {
  readonly group: Group;
  readonly page: BenchPage;
  /** The variant, if a group has several. */
  readonly variant?: string;
  readonly work: (driver: Driver) => Work | Promise<Work>;
  readonly proof?: Scenario['proof'];
}

function scenario(site: Site, { group, page, variant, work, proof }: Definition): Scenario {
  return {
    id: `${group}.${variant ?? page.id}`,
    group,
    title: `${group}, ${variant?.replaceAll('-', ' ') ?? page.title}`,
    isSlow: page.id === 'table',
    prepare: async (driver) => {
      await driver.navigate(site.url(page));
      return work(driver);
    },
    ...(proof && { proof }),
  };
}

const seen =
  (type: 'click' | 'keydown' | 'submit' | 'mouseup') =>
  (rounds: number): Proof => ({
    source: `() => '${type}s:' + window.seen.${type} + ';'`,
    expected: `${type}s:${rounds + 1};`,
  });

/** Actions on the small form; none of them has side effects. */
function formDefinitions(): readonly Definition[] {
  const page = formPage;
  const { name, save, cancel, country, news } = formElements;
  const typing = (submit: boolean) => async (driver: Driver) => {
    const target = await driver.find(name);
    return (round: number) => driver.type(target, `text ${round}`, submit);
  };
  const pressing = (key: string) => async (driver: Driver) => {
    await driver.click(await driver.find(name));
    return () => driver.press(key);
  };
  return [
    {
      group: 'type',
      page,
      variant: 'fill',
      work: typing(false),
      proof: (rounds) => ({
        source: "() => 'value:' + document.getElementById('name').value + ';'",
        expected: `value:text ${rounds - 1};`,
      }),
    },
    { group: 'type', page, variant: 'fill-and-submit', work: typing(true), proof: seen('submit') },
    { group: 'press', page, variant: 'ArrowLeft', work: pressing('ArrowLeft'), proof: seen('keydown') },
    { group: 'press', page, variant: 'Enter', work: pressing('Enter'), proof: seen('submit') },
    {
      group: 'hover',
      page,
      work: async (driver) => {
        const targets = [await driver.find(save), await driver.find(cancel)] as const;
        return (round) => driver.hover(round % 2 === 0 ? targets[0] : targets[1]);
      },
      proof: (rounds) => ({
        source: "() => 'over:' + document.querySelector('button:hover')?.id + ';'",
        expected: `over:${rounds % 2 === 1 ? 'save' : 'cancel'};`,
      }),
    },
    {
      group: 'select',
      page,
      work: async (driver) => {
        const target = await driver.find(country);
        return (round) => driver.select(target, round % 2 === 0 ? 'Japan' : 'Norway');
      },
      proof: (rounds) => ({
        source: "() => 'country:' + document.getElementById('country').value + ';'",
        expected: `country:${rounds % 2 === 1 ? 'Japan' : 'Norway'};`,
      }),
    },
    {
      group: 'check',
      page,
      work: async (driver) => {
        const target = await driver.find(news);
        return (round) => driver.check(target, round % 2 === 0);
      },
      proof: (rounds) => ({
        source: "() => 'news:' + document.getElementById('news').checked + ';'",
        expected: `news:${rounds % 2 === 1};`,
      }),
    },
    {
      group: 'drag',
      page,
      work: async (driver) => {
        const ends = [await driver.find(save), await driver.find(cancel)] as const;
        return () => driver.drag(...ends);
      },
      proof: seen('mouseup'),
    },
  ];
}

/** All operations timed on an open page, except the click that fetches. */
export function scenarios(site: Site): readonly Scenario[] {
  const definitions: readonly Definition[] = [
    ...pages.map((page): Definition => ({
      group: 'navigate',
      page,
      work: (driver) => (round) => driver.navigate(site.url(page, round + 2)),
    })),
    ...pages.map((page): Definition => ({
      group: 'click',
      page,
      work: async (driver) => {
        const target = await driver.find(page.idle);
        return () => driver.click(target);
      },
      proof: seen('click'),
    })),
    ...formDefinitions(),
    ...pages.map((page): Definition => ({ group: 'snapshot', page, work: (driver) => () => driver.snapshot() })),
    { group: 'evaluate', page: formPage, work: (driver) => () => driver.evaluate('() => document.title') },
    { group: 'evaluate', page: formPage, variant: 'ping', work: (driver) => () => driver.ping() },
    { group: 'tabs', page: formPage, work: (driver) => () => driver.tabs() },
    ...pages
      .filter(({ id }) => id !== 'table')
      .map((page): Definition => ({ group: 'screenshot', page, work: (driver) => () => driver.screenshot() })),
  ];
  return definitions.map((definition) => scenario(site, definition));
}

interface FetchOutcome {
  readonly isWritten: boolean;
  readonly isInText: boolean;
  readonly isInFiles: boolean;
}

/**
 * Checks that the result of the n-th fetch was on the page when the call returned, and in the answer itself. The page
 * records when it wrote, so that the duration of this check cannot hide an early answer.
 */
export async function checkFetch(driver: Driver, n: number, answer: Answer, answeredAt: number): Promise<FetchOutcome> {
  const { text } = await driver.evaluate("() => 'n:' + window.written?.n + ' at:' + window.written?.at");
  const match = /n:(\d+) at:(\d+)/.exec(text);
  const expected = `answer ${n}`;
  return {
    isWritten: match !== null && Number(match[1]) === n && Number(match[2]) <= answeredAt,
    isInText: answer.text.includes(expected),
    isInFiles: answer.files.some((file) => file.includes(expected)),
  };
}
