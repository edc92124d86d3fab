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
  /** Finds elements itself: which frame a target is in is not known here. */
  readonly findsItself?: boolean | undefined;
}

/** Throws if the action policy does not allow a call, on the page as it is now. */
export type Permit = (tool: PermitFacts, args: unknown, tab: Tab | undefined) => DocumentCheck;

/** Throws if a call that is already running may not act in the document with this URL. */
export type DocumentCheck = (url: string) => void;

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
    if (policy.isOpen) return () => undefined;
    let canAsk = isFirst;
    isFirst = false;
    const check = (places: readonly Place[]): void => {
      const verdicts = places.map(({ effects, url }) => ({ url, verdict: policy.decide(effects, url) }));
      // No user is asked about a call that is denied anyway.
      const denied = verdicts.filter(({ verdict }) => verdict?.decision === 'deny');
      for (const { url, verdict } of [...denied, ...verdicts]) {
        enforce(verdict, { tool: tool.name, origin: originOf(url) }, canAsk ? confirmation : settled(confirmation));
      }
    };
    check(placesOf(tool, args, tab));
    return (url) => {
      check([{ effects: effectsOf(tool), url }]);
      // The call acts on its first element now.
      canAsk = false;
    };
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
function placesOf(tool: PermitFacts, args: unknown, tab: Tab | undefined): readonly Place[] {
  const effects = effectsOf(tool);
  const destination = destinationOf(args, tab);
  const here = destination !== undefined && tool.effect === 'navigate' ? [] : urlsOf(tab, tool, args);
  return [
    ...here.map((url) => ({ effects, url })),
    ...(destination === undefined ? [] : [{ effects: ['navigate'] as const, url: destination }]),
  ];
}

function effectsOf({ effect, uploadsFiles }: PermitFacts): readonly ActionEffect[] {
  return uploadsFiles === true ? [effect, 'files'] : [effect];
}

const frameRef = /(?:^|[:p\d])(f\d+e\d+)$/;

/**
 * The documents that a call would act on: the page, the frames of its refs, and all frames for input without an element,
 * because keys go to the focused frame and coordinates may lie in any. An element that is named in another way passes the
 * check of its document when it is found.
 */
function urlsOf(tab: Tab | undefined, tool: PermitFacts, args: unknown): readonly (string | undefined)[] {
  if (tab === undefined) return [undefined];
  return [...new Set([tab.page.url(), ...framesOf(tab, tool, args).map((frame) => frame.url())])];
}

/** The documents of the elements that a call names; the page if it names none, all frames if input could go to any. */
export function documentsOf(
  tab: Tab | undefined,
  tool: Pick<PermitFacts, 'findsItself'> & { readonly effect: string },
  args: unknown,
): readonly string[] {
  if (tab === undefined) return [];
  const refs = textsIn(args).flatMap((text) => frameRef.exec(text)?.[1] ?? []);
  const isInPage = refs.length === 0 || textsIn(args).some((text) => /^e\d+$/.test(text));
  const frames = framesOf(tab, tool, args).map((frame) => frame.url());
  return [...new Set([...(isInPage ? [tab.page.url()] : []), ...frames])];
}

function framesOf(
  tab: Tab,
  { effect, findsItself = false }: Pick<PermitFacts, 'findsItself'> & { readonly effect: string },
  args: unknown,
): ReturnType<Tab['refs']['framesOf']> {
  const isAnywhere = (effect === 'input' && !namesElement(args)) || (findsItself && mayLeavePage(args));
  if (isAnywhere) return tab.page.frames();
  const refs = textsIn(args).flatMap((text) => frameRef.exec(text)?.[1] ?? []);
  return refs.flatMap((ref) => tab.refs.framesOf(ref));
}

function namesElement(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false;
  return Object.entries(args).some(
    ([key, value]) => value !== undefined && /ref$|target$|selector|^fields$|^element/i.test(key),
  );
}

/** The ways in which Playwright's selectors and locators enter frames. */
const entersFrame = /^f\d+e\d+$|frame|internal:|aria-ref/i;

/** Whether an element that a call names may be in a frame. */
function mayLeavePage(args: unknown): boolean {
  return textsIn(args).some((text) => entersFrame.test(text));
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
