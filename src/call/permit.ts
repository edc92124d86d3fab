import type { ActionEffect } from '../config/action-rule.ts';
import { ToolError } from '../errors.ts';
import type { ActionPolicy, ActionVerdict } from '../policy/actions.ts';
import { checkedUrl } from '../policy/urls.ts';
import type { Tab } from '../session/tab.ts';

/** The parts of a tool that the action policy knows. */
export interface PermitFacts {
  readonly name: string;
  readonly effect: Exclude<ActionEffect, 'files' | '*'>;
  readonly uploadsFiles?: boolean;
}

/** Throws if the action policy does not allow a call, on the page as it is now. */
export type Permit = (tool: PermitFacts, args: unknown, tab: Tab | undefined) => void;

/** What a user is asked. */
export interface Question {
  readonly tool: string;
  readonly origin: string;
  readonly rule: string;
}

/** How a call can get the confirmation of a user. */
export interface Confirmation {
  /** The origin for which the user has confirmed this call. */
  readonly confirmed?: string | undefined;
  /** The user has declined it. */
  readonly isDeclined: boolean;
  /** Asks the user, after which the client repeats the call. */
  ask(question: Question): void;
}

export interface PermitDeps {
  readonly actions: ActionPolicy;
}

/**
 * The permit of one call. Steps of a call pass it too; a user is asked only before anything has run. A call of several
 * tools cannot ask: a user who confirms one tool would confirm the others, too.
 */
export function permitOf(
  { actions: policy }: PermitDeps,
  confirmation: Confirmation | undefined,
  hasSteps = false,
): Permit {
  let isFirst = !hasSteps;
  return (tool, args, tab) => {
    if (policy.isOpen) return;
    const canAsk = isFirst;
    isFirst = false;
    const verdicts = placesOf(tool, args, tab).map(({ effects, url }) => ({
      url,
      verdict: policy.decide(effects, url),
    }));
    // No user is asked about a call that is denied anyway.
    const denied = verdicts.filter(({ verdict }) => verdict?.decision === 'deny');
    for (const { url, verdict } of [...denied, ...verdicts]) {
      enforce(verdict, { tool: tool.name, origin: originOf(url) }, canAsk ? confirmation : settled(confirmation));
    }
  };
}

/** A confirmation that can no longer ask. */
function settled(confirmation: Confirmation | undefined): Omit<Confirmation, 'ask'> | undefined {
  return confirmation === undefined ? undefined : { confirmed: confirmation.confirmed, isDeclined: false };
}

function enforce(
  verdict: ActionVerdict | undefined,
  about: { readonly tool: string; readonly origin: string },
  confirmation: (Omit<Confirmation, 'ask'> & Partial<Pick<Confirmation, 'ask'>>) | undefined,
): void {
  if (verdict === undefined || verdict.decision === 'allow') return;
  const { rule } = verdict;
  if (verdict.decision === 'deny') throw new ToolError('ACTION_DENIED', { ...about, rule });
  if (confirmation?.confirmed === about.origin) return;
  if (confirmation?.isDeclined === true) throw new ToolError('CONFIRMATION_DECLINED', { ...about, rule });
  confirmation?.ask?.({ ...about, rule });
  const reason =
    confirmation !== undefined && confirmation.ask === undefined
      ? 'it must be called on its own to be confirmed'
      : 'this client cannot ask for it';
  throw new ToolError('CONFIRMATION_REQUIRED', { ...about, rule, reason });
}

interface Place {
  readonly effects: readonly ActionEffect[];
  readonly url: string | undefined;
}

/** The pages and frames that a call would act on, and the URL that it would open. */
function placesOf({ effect, uploadsFiles }: PermitFacts, args: unknown, tab: Tab | undefined): readonly Place[] {
  const effects: readonly ActionEffect[] = uploadsFiles === true ? [effect, 'files'] : [effect];
  const destination = destinationOf(args, tab);
  const here = destination !== undefined && effect === 'navigate' ? [] : urlsOf(tab, effect, args);
  return [
    ...here.map((url) => ({ effects, url })),
    ...(destination === undefined ? [] : [{ effects: ['navigate'] as const, url: destination }]),
  ];
}

const frameRef = /(?:^|[:p\d])(f\d+e\d+)$/;

/**
 * The documents that a call would act on: the page, the frames of its refs, and all frames for input without an element,
 * because keys go to the focused frame and coordinates may lie in any.
 */
function urlsOf(tab: Tab | undefined, effect: string, args: unknown): readonly (string | undefined)[] {
  if (tab === undefined) return [undefined];
  const refs = textsIn(args).flatMap((text) => frameRef.exec(text)?.[1] ?? []);
  const isAnywhere = effect === 'input' && !namesElement(args);
  const frames = isAnywhere ? tab.page.frames() : refs.flatMap((ref) => tab.refs.frameOf(ref) ?? []);
  return [...new Set([tab.page.url(), ...frames.map((frame) => frame.url())])];
}

/** The documents of the elements that a call names; the page if it names none, all frames if input could go to any. */
export function documentsOf(tab: Tab | undefined, effect: string, args: unknown): readonly string[] {
  if (tab === undefined) return [];
  const texts = textsIn(args);
  const isAnywhere = (effect === 'input' && !namesElement(args)) || texts.some((text) => /enter-frame/.test(text));
  if (isAnywhere) return [...new Set(tab.page.frames().map((frame) => frame.url()))];
  const refs = texts.flatMap((text) => frameRef.exec(text)?.[1] ?? []);
  const frames = refs.flatMap((ref) => tab.refs.frameOf(ref) ?? []);
  const isInPage = refs.length === 0 || texts.some((text) => /^e\d+$/.test(text));
  return [...new Set([...(isInPage ? [tab.page.url()] : []), ...frames.map((frame) => frame.url())])];
}

function namesElement(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false;
  return Object.entries(args).some(
    ([key, value]) => value !== undefined && /ref$|target$|selector|^fields$|^element/i.test(key),
  );
}

/** The URL that a call would open, as it would be opened. */
export function destinationOf(args: unknown, tab: Tab | undefined): string | undefined {
  if (typeof args !== 'object' || args === null || !('url' in args) || typeof args.url !== 'string') return undefined;
  try {
    return checkedUrl(args.url, tab?.page.url(), true);
  } catch {
    // The tool refuses it.
    return undefined;
  }
}

const deepest = 4;

function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

/** The origin for messages; documents without one are named by their scheme. */
export function originOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return 'no page';
  const { origin, protocol } = new URL(url);
  return origin === 'null' ? protocol : origin;
}
