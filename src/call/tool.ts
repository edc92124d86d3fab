import * as z from 'zod';
import type { BrowserMode, BrowserRequest } from '../browser/host.ts';
import type { Config } from '../config/schema/schema.ts';
import type { Secrets } from '../policy/secrets.ts';
import { modalElsewhere } from '../session/events/blocked-by-dialog.ts';
import type { Handoffs } from '../session/control/handoffs.ts';
import type { Session } from '../session/session.ts';
import type { DriverSessions } from '../session/store.ts';
import type { ModalKind } from '../session/events/dialogs.ts';
import type { Tab } from '../session/tab.ts';
import { ToolError } from '../errors.ts';
import { nearest } from '../util/nearest.ts';
import { cut } from '../util/text.ts';
import { readArguments, requiredKeys } from './arguments/arguments.ts';
import type { ArgumentNames } from './arguments/arguments.ts';
import type { LinkRequest } from './link-request.ts';
import type { Permit } from './permit.ts';
import { withSecrets } from './arguments/secret-arguments.ts';
import type { PrepareStep } from './steps.ts';
import type { AnswerForm } from './answer/report.ts';
import type { Response } from './answer/response.ts';

/** The effects of a tool. Annotations and policy are derived from it. */
export const effects = {
  read: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  navigate: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  code: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  manage: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  /** Runs other tools, whose own effects count for the policy. */
  steps: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
} as const;
export type Effect = keyof typeof effects;

/** A set of tools that an operator can choose; `all` has every tool without naming it. */
export type Toolset = Exclude<Config['toolsets'][number], 'all'>;

/** The part of the configuration that tools read. */
export type ToolSettings = Pick<
  Config,
  | 'timeouts'
  | 'session'
  | 'imageResponses'
  | 'compat'
  | 'codegen'
  | 'console'
  | 'security'
  | 'disableTools'
  | 'allowUnrestrictedFileAccess'
>;

/** An error in the `sentences` form: what was being done, to what, and the next step. */
export interface SentenceError {
  /** As in `Error clicking element`. */
  readonly doing: string;
  /** The argument that names the subject, and its label. */
  readonly about?: readonly [label: string, argument: string];
  /** The next step if the element is the problem; other errors have their own. */
  readonly hint?: string;
}

/** Control of the browser that all sessions share. */
export interface BrowserControl {
  /** Ends the browser with all sessions and starts another; returns its mode and the number of ended sessions. */
  launch(requested: BrowserRequest, signal: AbortSignal): Promise<BrowserMode & { readonly ended: number }>;
  /** Ends the browser with all sessions; false if none was running. */
  quit(): Promise<boolean>;
}

/** Arguments of every handler. */
export interface CallContext {
  readonly response: Response;
  /** Aborts when the client cancels or the call's deadline passes. */
  readonly signal: AbortSignal;
  readonly settings: ToolSettings;
  readonly secrets: Secrets;
  readonly now: () => Date;
  readonly progress: (message: string) => void;
  /** Token limit of the answer. */
  readonly maxTokens: number;
  /** The driver's own sessions. */
  readonly sessions: DriverSessions;
  readonly browser: BrowserControl;
  /** The configuration without secrets. */
  readonly shownConfig: () => Readonly<Record<string, unknown>>;
  /** Throws if the action policy does not allow a call. */
  readonly permit: Permit;
  /** Requests for a person. */
  readonly handoffs: Handoffs;
  /** Shows a link to the user of the client. */
  readonly links: LinkRequest | undefined;
  /** Prepares a call of another tool as a part of this one. */
  readonly prepareStep: PrepareStep;
  /** The handler is about to run. */
  readonly begin: () => void;
}

/** Further arguments of a handler, by the scope of its tool. */
interface Scopes {
  /** Works on the driver's list of sessions: runs at once, even if they are busy. */
  driver: object;
  session: { readonly session: Session };
  tab: { readonly session: Session; readonly tab: Tab };
}

export interface ToolSpec<N extends string, S extends keyof Scopes, I extends z.ZodRawShape> {
  readonly name: N;
  readonly title: string;
  /** What it does and when to use it; an imperative sentence of at most 200 characters. */
  readonly description: string;
  /** Toolsets that list it; none for a tool that only `all`, a capability, `enableTools` or an alias offers. */
  readonly toolsets?: readonly Toolset[];
  /** Toolsets in which it can be called although they do not list it: two names for one thing confuse a model. */
  readonly callableIn?: readonly Toolset[];
  /** Offered with each of these capabilities, in any toolset. */
  readonly capabilities?: readonly Config['capabilities'][number][];
  /** Not offered where the operator has switched file uploads off. */
  readonly uploadsFiles?: boolean;
  /** Arguments whose whole text may be the name of a secret. */
  readonly namesSecrets?: readonly string[];
  /** What secrets in its arguments reach, where the effect does not say it. */
  readonly secretsReach?: 'page' | 'anywhere';
  /** Runs code outside of pages: offered only where the operator allows it. */
  readonly runsServerCode?: boolean;
  readonly effect: Effect;
  /** The effect that the action policy checks before the call, if the tool has further ones checked while it runs. */
  readonly checkedAs?: Exclude<Effect, 'steps'>;
  readonly scope: S;
  /** The modal state that this tool resolves; other tab tools are refused while it is open. */
  readonly clears?: ModalKind;
  /** Works while a dialog is open, because it does not touch the page. */
  readonly ignoresModals?: boolean;
  /** Navigates: a crashed page need not be restored first. */
  readonly replacesPage?: boolean;
  /** A read that means something else on a reopened page, such as a wait: it is not repeated after a crash. */
  readonly isRepeatable?: false;
  /** The limit of its steps, where it has one that is not an argument. */
  readonly limitMs?: number;
  readonly input: I;
  /**
   * Arguments that a command line takes as plain words, in this order; a list takes all that are left. Default: the
   * required ones.
   */
  readonly positional?: readonly (keyof I & string)[];
  /** Form of the answer, default sections. */
  readonly answer?: AnswerForm;
  readonly sentenceError?: SentenceError;
  /** Checks the arguments before a browser is started; throws if they are wrong. */
  readonly check?: (args: z.output<z.ZodObject<I>>) => void;
  /** Other servers' names for arguments, with the name here. */
  readonly synonyms?: Readonly<Record<string, keyof I & string>>;
  readonly run: (call: { readonly args: z.output<z.ZodObject<I>> } & CallContext & Scopes[S]) => Promise<void>;
}

/** A call with valid arguments. */
export interface PreparedCall {
  /** Remarks about ignored arguments. */
  readonly notes: readonly string[];
  /** The given timeout. */
  readonly timeoutMs: number | undefined;
  /** Runs in a session, unless the tool has the scope `driver`. */
  run(context: CallContext, session: Session | undefined): Promise<void>;
}

/** A tool of any type: its schema and handler are closed over, so that lists of tools need no casts. */
export interface Tool<N extends string = string, Input = unknown> {
  readonly name: N;
  readonly title: string;
  readonly description: string;
  readonly toolsets: readonly Toolset[];
  readonly callableIn: readonly Toolset[];
  readonly capabilities: readonly Config['capabilities'][number][];
  readonly uploadsFiles: boolean;
  readonly namesSecrets: readonly string[];
  readonly secretsReach: 'page' | 'anywhere' | undefined;
  readonly runsServerCode: boolean;
  readonly effect: Effect;
  readonly scope: keyof Scopes;
  readonly clears: ModalKind | undefined;
  /** A read that the server repeats once after a crash. */
  readonly isRepeatable: boolean;
  readonly limitMs: number | undefined;
  /** Navigates: repeated once if the page that it leaves does not respond. */
  readonly replacesPage: boolean;
  /** The tool that does the work: another one if this is an alias. */
  readonly does: string;
  readonly answer: AnswerForm;
  readonly sentenceError: SentenceError | undefined;
  /** The advertised arguments. */
  readonly input: z.ZodObject;
  /** Arguments that a command line takes as plain words. */
  readonly positional: readonly string[];
  /** Other names for arguments, with the name here. */
  readonly synonyms: Readonly<Record<string, string>>;
  /** Checks the arguments and returns the call to run. */
  prepare(args: unknown, as?: ArgumentNames): PreparedCall;
  /** Types only, for typed callers. */
  readonly '~input'?: Input;
}

/** There is no tool of that name: a protocol error, not a tool's. */
export class UnknownToolError extends Error {
  readonly suggestion: string | undefined;

  constructor(name: string, suggestion: string | undefined) {
    super(`Unknown tool: ${cut(name, 100)}`);
    this.name = 'UnknownToolError';
    this.suggestion = suggestion;
  }
}

const prefix = 'browser_';

/** The tool that a misspelt or incomplete name means; the common prefix may be missing. */
export function nearestTool(name: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  const whole = name.startsWith(prefix) ? name : `${prefix}${name}`;
  const isBegun = (full: string): boolean => full.startsWith(name) || full.startsWith(whole);
  const begun = prefix.startsWith(name) ? [] : all.filter(isBegun);
  return begun.toSorted((a, b) => a.length - b.length)[0] ?? nearestWithoutPrefix(name, all);
}

/** Compares without the prefix: its letters would make every short name similar to every other. */
function nearestWithoutPrefix(name: string, all: readonly string[]): string | undefined {
  const bare = (full: string): string => full.replace(/^browser[-_]?/i, '');
  const word = nearest(bare(name), all.map(bare));
  // A misspelt prefix cannot be removed.
  return all.find((full) => bare(full) === word) ?? (bare(name) === name ? nearest(name, all) : undefined);
}

/** Some tools take their timeout among their options. */
function timeoutIn(args: object): number | undefined {
  const given = [args, 'options' in args ? args.options : undefined];
  return given.map((one) => withTimeout.safeParse(one).data?.timeout).find((timeout) => timeout !== undefined);
}

const withTimeout = z.object({ timeout: z.number() });

export function defineTool<const N extends string, S extends keyof Scopes, I extends z.ZodRawShape>(
  spec: ToolSpec<N, S, I>,
): Tool<N, z.input<z.ZodObject<I>>> {
  const schema = z.object(spec.input);
  const synonyms = { ...fileSynonym(spec.input), ...spec.synonyms };
  return {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    toolsets: spec.toolsets ?? [],
    callableIn: spec.callableIn ?? [],
    capabilities: spec.capabilities ?? [],
    uploadsFiles: spec.uploadsFiles === true,
    namesSecrets: spec.namesSecrets ?? [],
    secretsReach: spec.secretsReach,
    runsServerCode: spec.runsServerCode === true,
    effect: spec.effect,
    scope: spec.scope,
    clears: spec.clears,
    isRepeatable: spec.isRepeatable ?? true,
    limitMs: spec.limitMs,
    replacesPage: spec.replacesPage ?? false,
    does: spec.name,
    answer: spec.answer ?? 'sections',
    sentenceError: spec.sentenceError,
    input: schema,
    positional: spec.positional ?? requiredKeys(schema),
    synonyms,
    prepare: (raw, as) => {
      const { args, notes } = readArguments(schema, synonyms, raw, as);
      spec.check?.(args);
      const run: PreparedCall['run'] = async (context, session) => runInScope(spec, args, context, session);
      return { notes, timeoutMs: timeoutIn(args), run };
    },
  };
}

/** Other servers name an output file `path` or `filename`; each tool accepts both. */
function fileSynonym(input: z.ZodRawShape): Readonly<Record<string, string>> {
  if ('filename' in input) return 'path' in input ? {} : { path: 'filename' };
  return 'path' in input ? { filename: 'path' } : {};
}

async function runInScope<N extends string, S extends keyof Scopes, I extends z.ZodRawShape>(
  spec: ToolSpec<N, S, I>,
  args: z.output<z.ZodObject<I>>,
  context: CallContext,
  session: Session | undefined,
): Promise<void> {
  const scope: Partial<Scopes['tab']> =
    spec.scope === 'driver' ? {} : await sessionScope(spec, session, context.signal);
  // Checked when the call acts: the page may have changed while it waited. Steps are checked one by one.
  const effect = spec.checkedAs ?? spec.effect;
  const tab = scope.tab ?? session?.current;
  const { args: meant, check } = withSecrets(spec, args, tab, context.secrets);
  const permitted = effect === 'steps' ? undefined : context.permit({ ...spec, effect }, meant, tab);
  const checking = tab?.refs.checkDocuments((url) => {
    check(url);
    permitted?.(url);
  });
  context.begin();
  try {
    // The scope was built for the spec's own S just above; the compiler cannot follow that through the generic.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await spec.run({ ...context, args: meant, ...scope } as unknown as Parameters<typeof spec.run>[0]);
  } finally {
    checking?.[Symbol.dispose]();
  }
}

type ScopeFacts = Pick<
  ToolSpec<string, keyof Scopes, z.ZodRawShape>,
  'name' | 'scope' | 'clears' | 'ignoresModals' | 'replacesPage'
>;

async function sessionScope(
  spec: ScopeFacts,
  session: Session | undefined,
  signal: AbortSignal,
): Promise<Scopes['session' | 'tab']> {
  if (session === undefined) throw new Error(`${spec.name} was called without a session`);
  return spec.scope === 'tab' ? { session, tab: await openTab(spec, session, signal) } : { session };
}

/**
 * Dialogs of the page, and of tabs that block it, must not keep it from being replaced; false if they still do. In
 * Chromium, a dialog that opens while the page is being left cannot be answered, and blocks the next document.
 */
async function leaveDialogs(session: Session, tab: Tab): Promise<boolean> {
  await tab.dialogs.leave();
  const elsewhere = await modalElsewhere(session, tab);
  await elsewhere?.tab.dialogs.leave();
  return !tab.dialogs.isStorm || ((await tab.dialogs.areOver()) && (await tab.answers()));
}

async function openTab(spec: ScopeFacts, session: Session, signal: AbortSignal): Promise<Tab> {
  const tab = await session.activeTab(signal, { replacesPage: spec.replacesPage === true });
  if (spec.ignoresModals === true) return tab;
  if (spec.replacesPage === true && !(await leaveDialogs(session, tab))) return session.replaceTab(tab, signal);
  const modal = tab.modals.find((open) => open.kind !== spec.clears);
  if (modal !== undefined) throw new ToolError('MODAL_OPEN', { modal: modal.description, tool: spec.name });
  const elsewhere = spec.clears === undefined ? await modalElsewhere(session, tab) : undefined;
  if (elsewhere !== undefined) {
    const where = `${elsewhere.modal.description}, in tab ${session.tabs.indexOf(elsewhere.tab)} (${elsewhere.tab.id})`;
    throw new ToolError('MODAL_OPEN', { modal: where, tool: spec.name });
  }
  return tab;
}
