import { toToolError } from '../../browser/failure.ts';
import type { Extracted } from './read-page.ts';
import { checkedUrl } from '../../policy/urls.ts';
import type { Opened } from '../../session/navigation/navigate.ts';
import { cut, pageUrl, quoteBlock } from '../../util/text.ts';
import { actQuietly } from '../lib/act.ts';
import type { ReadingCall } from '../reading/content.ts';

/** Why a list is not read further; undefined once its next page is open. */
export type Stop = string | undefined;

/** Opens the next page of a list, as a navigation of its own: its URL is checked by the same rules. */
export async function openNext(
  call: ReadingCall,
  next: Extracted['next'],
  visited: Set<string>,
  tool: string,
): Promise<Stop> {
  const { tab, session, settings, signal, permit } = call;
  if (next === undefined) return 'there is no link to a next page';
  const { url: href } = next;
  if (href === undefined) return 'the next page is opened by a script: click its button, then call again';
  const here = tab.page.url();
  const shown = cut(pageUrl(href), 300);
  if (visited.has(href)) return `the next page has been read already (${shown})`;
  if (originOf(href) !== originOf(here)) return `the next page is on another site (${shown})`;
  visited.add(href);
  try {
    const url = checkedUrl(href, session.baseUrl, settings.allowUnrestrictedFileAccess);
    permit({ name: tool, effect: 'navigate' }, { url }, tab);
    const timeoutMs = settings.timeouts.navigation;
    let opened: Opened = { is: 'page' };
    await actQuietly(
      call,
      async (_before, { activity }) => {
        opened = await tab.open(url, { activity, signal, timeoutMs });
      },
      { failure: { what: 'The navigation', url, timeoutMs }, loadMs: settings.timeouts.load, showsPage: false },
    );
    return isPage(opened) ? undefined : `the next page is not a document (${shown})`;
  } catch (error) {
    signal.throwIfAborted();
    // What the pages before have given is not lost.
    const { code, message } = toToolError(error, { what: 'The navigation', url: href, browserLost: session.isLost });
    return `[${code}] ${quoteBlock(cut(message, 300))}`;
  }
}

function isPage({ is }: Opened): boolean {
  return is === 'page';
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
