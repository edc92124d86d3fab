import * as z from 'zod';
import type { Frame } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { askFrames } from '../../session/agent/ask-frames.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { readTarget } from '../lib/read-target.ts';
import { urlMatcher } from '../lib/patterns/url-pattern.ts';

/** Everything that is given must be there. */
export const conditionShape = z.object({
  text: z.string().optional(),
  ref: z.string().optional(),
  url: z.string().optional(),
  not: z.boolean().optional(),
});
export type Condition = z.output<typeof conditionShape>;

/** Whether the condition holds now; nothing is waited for. */
export async function holds(condition: Condition, session: Session, signal: AbortSignal): Promise<boolean> {
  return (await isThere(condition, session, signal)) !== (condition.not === true);
}

async function isThere({ text, ref, url }: Condition, session: Session, signal: AbortSignal): Promise<boolean> {
  const tab = session.current;
  // A page with an open dialog does not answer.
  if (tab === undefined || (tab.modals.length > 0 && (text ?? ref) !== undefined)) return false;
  if (url !== undefined && !(await urlMatcher(url))(new URL(tab.page.url()))) return false;
  if (text !== undefined && !(await showsText(tab, text))) return false;
  return ref === undefined || hasElement(session, tab, ref, signal);
}

async function showsText(tab: Tab, text: string): Promise<boolean> {
  const inFrame = async (frame: Frame): Promise<boolean> =>
    (await frame.getByText(text).filter({ visible: true }).count()) > 0;
  return (await askFrames(tab.page.frames(), inFrame)).includes(true);
}

/** The codes of refs that lead to no element. */
const gone: ReadonlySet<string> = new Set(['REF_NOT_FOUND', 'STALE_REF']);

async function hasElement(session: Session, tab: Tab, ref: string, signal: AbortSignal): Promise<boolean> {
  try {
    const target = readTarget(ref, session);
    const { locator } = await tab.refs.locate(target, await tab.observe(signal), signal);
    return (await locator.filter({ visible: true }).count()) > 0;
  } catch (error) {
    if (error instanceof ToolError && gone.has(error.code)) return false;
    throw error;
  }
}

/** The condition in words, for the line of a step that was not run. */
export function unmet({ text, ref, url, not }: Condition): string {
  const parts = Object.entries({ text, ref, url }).filter(([, value]) => value !== undefined);
  const shown = parts.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(' and ');
  return not === true ? `${shown} is there` : `no ${shown}`;
}
