import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import * as zoo from '../tests/site/zoo.ts';
import { visibleTextSource, visibleTokens } from './anatomy-text.ts';
import { pages as benchPages } from './pages.ts';
import type { RawDriver } from './raw.ts';
import type { McpDriver, ServerName } from './servers.ts';
import type { Route } from './site.ts';
import type { Suite } from './suite.ts';

/** Token cost of a page. */
export interface Sight {
  /** The full content, summed over all calls. */
  readonly all: number;
  /** Tokens that are words of the page. */
  readonly visible: number;
  readonly calls: number;
  /** Counted in a file written by the server, because following all cursors would take too many calls. */
  readonly isFromFile: boolean;
  /** The answer to a call without arguments. */
  readonly byDefault: number;
}

export interface PageSights {
  readonly id: string;
  readonly title: string;
  readonly sights: Partial<Record<ServerName, Sight>>;
}

const serverNames: readonly ServerName[] = ['pagehelm', 'peer'];

/** Sums of all pages; a server that failed on one page is omitted. */
export function together(pages: readonly PageSights[], title: string): PageSights {
  const sights: Partial<Record<ServerName, Sight>> = {};
  for (const name of serverNames) {
    const all = pages.flatMap((page) => page.sights[name] ?? []);
    if (all.length === 0 || all.length < pages.length) continue;
    const sum = (of: (sight: Sight) => number): number => all.reduce((total, sight) => total + of(sight), 0);
    sights[name] = {
      all: sum((sight) => sight.all),
      visible: sum((sight) => sight.visible),
      calls: sum((sight) => sight.calls),
      isFromFile: all.some((sight) => sight.isFromFile),
      byDefault: sum((sight) => sight.byDefault),
    };
  }
  return { id: 'together', title, sights };
}

const ownPages: ReadonlyMap<string, { readonly title: string; readonly html: string }> = new Map([
  ['registration', { title: 'every kind of field', html: zoo.formPage() }],
  ['article', { title: 'article', html: zoo.articlePage() }],
  ['grid', { title: 'grid of 200 cards', html: zoo.gridPage() }],
  ['shop', { title: 'product page', html: zoo.shopPage() }],
  ['menus', { title: 'menus, tabs, tree', html: zoo.menuPage() }],
  ['dialogs', { title: 'dialogs', html: zoo.dialogPage() }],
  ['big', { title: '1,000 elements', html: zoo.bigPage(1000) }],
]);
const anatomyPages = [
  ...benchPages.map(({ id, title }) => ({ id, title, path: `/${id}` })),
  ...[...ownPages].map(([id, { title }]) => ({ id, title, path: `/anatomy/${id}` })),
];
const mostCalls = 60;
const cursorMark = /cursor="([^"]+)"/g;
const wholeArguments = ['--max-tokens', '2000000'] as const;

export const anatomyRoute: Route = ({ pathname }) => {
  const page = ownPages.get(pathname.replace('/anatomy/', ''));
  return page && pathname.startsWith('/anatomy/') ? { body: page.html } : undefined;
};

/** Server arguments for this suite: a token budget that cuts nothing. */
export function anatomyArguments(name: ServerName): readonly string[] {
  return name === 'pagehelm' ? wholeArguments : [];
}

/** Follows every cursor until the whole page was shown. */
async function seeAll(driver: McpDriver, name: string): Promise<{ text: string; calls: number; isFromFile: boolean }> {
  const { text: first } = await driver.snapshot();
  const texts = [first];
  const cursors = [...first.matchAll(cursorMark)].map((match) => match[1]);
  for (const cursor of cursors) {
    if (texts.length >= mostCalls) {
      const { text, files } = await driver.call('browser_snapshot', { filename: `anatomy-${name}.yml` });
      if (files.length === 0) throw new Error(`${driver.name} wrote no file`);
      return { text: [text, ...files].join('\n'), calls: texts.length, isFromFile: true };
    }
    const { text } = await driver.call('browser_snapshot', { cursor });
    texts.push(text);
    cursors.push(...[...text.matchAll(cursorMark)].map((match) => match[1]));
  }
  return { text: texts.join('\n'), calls: texts.length, isFromFile: false };
}

/** Counts the tokens of each page, by default and in full. `unbound` are the same servers without a token budget. */
export async function runAnatomy(
  { recorder, site, drivers, progress }: Suite,
  unbound: readonly McpDriver[],
  raw: RawDriver,
): Promise<readonly PageSights[]> {
  const result: PageSights[] = [];
  for (const { id, title, path } of anatomyPages) {
    progress(`anatomy: ${title}`);
    const url = site.at(path);
    await raw.navigate(url);
    const pageText = z.string().parse(JSON.parse((await raw.evaluate(visibleTextSource)).text));
    const sights: Partial<Record<ServerName, Sight>> = {};
    const defaults = new Map<ServerName, number>();
    await recorder.interleave('anatomy', drivers, 0, async (driver) => {
      await driver.navigate(url);
      defaults.set(driver.name, countTokens((await driver.snapshot()).text));
    });
    await recorder.interleave('anatomy', unbound, 0, async (driver) => {
      await driver.navigate(url);
      const { text, ...how } = await seeAll(driver, id);
      const byDefault = defaults.get(driver.name) ?? 0;
      sights[driver.name] = { all: countTokens(text), visible: visibleTokens(text, pageText), byDefault, ...how };
    });
    result.push({ id, title, sights });
  }
  return result;
}
