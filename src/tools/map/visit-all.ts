import { randomUUID } from 'node:crypto';
import { toToolError } from '../../browser/failure.ts';
import type { FileLink } from '../../call/answer/report.ts';
import { Response } from '../../call/answer/response.ts';
import type { Image } from '../../call/answer/response.ts';
import type { PreparedStep, StepEnd } from '../../call/steps.ts';
import type { CallContext } from '../../call/tool.ts';
import type { ErrorView } from '../../errors.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import type { Session } from '../../session/session.ts';
import { mapTexts } from '../../util/map-texts.ts';
import { runSteps, valueOf } from '../steps/run-steps.ts';
import type { StepsRun } from '../steps/run-steps.ts';
import type { Step } from '../steps/read-steps.ts';

/** A call of the tool, with the session of its caller. */
export type MapCall = CallContext & { readonly session: Session };

export interface MapPlan {
  readonly urls: readonly string[];
  /** The call that opens each of them. */
  readonly navigations: readonly PreparedStep[];
  readonly steps: readonly Step[];
  readonly stopOnError: boolean;
  /** Sessions at the same time. */
  readonly atOnce: number;
  /** Options of each session. */
  readonly options: SessionOptions;
}

/** What became of a URL. Its texts hold no value that was typed into a secret field. */
export interface Visit {
  readonly url: string;
  /** Where the page was in the end. */
  readonly endUrl?: string;
  readonly title?: string;
  /** HTTP status of the last document, unless it says success. */
  readonly status?: number;
  /** One line for each step, with what it returned below it. */
  readonly lines: readonly string[];
  /** What the steps returned, by their numbers. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly images: readonly Image[];
  readonly files: readonly FileLink[];
  /** Why it failed. */
  readonly error?: ErrorView;
  /** The step that failed; 0 is the navigation. */
  readonly failedStep?: number;
}

const nothing = { lines: [], values: {}, images: [], files: [] };

/** Visits all URLs, each in a session of its own, and closes the sessions, whatever happens. */
export async function visitAll(call: MapCall, plan: MapPlan): Promise<readonly Visit[]> {
  const { urls, atOnce } = plan;
  const { response, progress, signal } = call;
  const visits: Visit[] = [];
  const waiting = urls.map((_, place) => place);
  let [workers, finished] = [0, 0];
  const work = async (): Promise<void> => {
    workers += 1;
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
      signal.throwIfAborted();
      const url = urls[place] ?? '';
      const line = response.done.push(`${url}: interrupted`) - 1;
      const visit = await visitOne(call, plan, place);
      // Other callers took the places of our sessions: a worker that is left tries again.
      if (isFull(visit.error) && workers > 1) {
        response.done[line] = `${url}: not opened yet`;
        waiting.unshift(place);
        break;
      }
      visits[place] = visit;
      response.done[line] = `${url}: ${visit.error === undefined ? 'done' : `failed [${visit.error.kind}]`}`;
      finished += 1;
      progress(`${finished} of ${urls.length} URLs`);
    }
    workers -= 1;
  };
  const all = await Promise.allSettled(Array.from({ length: atOnce }, work));
  const broken = all.find((each) => each.status === 'rejected');
  signal.throwIfAborted();
  if (broken !== undefined) throw broken.reason;
  return visits;
}

function isFull(error: ErrorView | undefined): boolean {
  return error?.kind === 'MAX_SESSIONS_REACHED' || error?.kind === 'SERVER_BUSY';
}

async function visitOne(call: MapCall, plan: MapPlan, place: number): Promise<Visit> {
  const { sessions, signal } = call;
  const url = plan.urls[place] ?? '';
  let session: Session | undefined;
  try {
    session = sessions.create({ name: `map-${randomUUID().slice(0, 8)}`, options: plan.options });
    const own = session;
    own.holdTo(call.session.roots);
    return await own.exclusive(signal, async (failed) => {
      const until = AbortSignal.any([signal, failed]);
      return visitIn(
        own,
        { ...call, signal: until, response: new Response(false), progress: () => undefined },
        plan,
        place,
      );
    });
  } catch (error) {
    signal.throwIfAborted();
    const known = toToolError(error, { what: 'The visit', url, browserLost: session?.isLost === true });
    return { ...nothing, url, error: known.view, failedStep: 0 };
  } finally {
    if (session !== undefined) await sessions.close(session);
  }
}

async function visitIn(session: Session, call: CallContext, plan: MapPlan, place: number): Promise<Visit> {
  const { steps, stopOnError } = plan;
  const url = plan.urls[place] ?? '';
  const opened = await plan.navigations[place]?.run(call, session, call.maxTokens);
  if (opened?.error !== undefined) return { ...nothing, url, error: opened.error, failedStep: 0 };
  const ran = await runSteps(steps, call, session, { stopOnError, maxTokens: call.maxTokens });
  const { current } = session;
  const values = ran.ends
    .map((end) => [String(end.number), shownBy(end)] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  const visit = {
    url,
    ...(current === undefined ? {} : { endUrl: current.page.url(), title: current.title }),
    ...errorStatusOf(current?.status),
    lines: withoutRefs(ran.lines, session),
    values: Object.fromEntries(values),
    ...errorOf(ran, stopOnError),
  };
  // Its tabs are gone when the answer is made, and the values with them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const safe = mapTexts(visit, (text) => withoutTyped(text, session)) as typeof visit;
  const reports = ran.ends.flatMap(({ report }) => report ?? []);
  return {
    ...safe,
    images: reports.flatMap(({ images }) => images),
    files: [...(opened?.report?.files ?? []), ...reports.flatMap(({ files = [] }) => files)],
  };
}

function errorStatusOf(status: number | undefined): Pick<Visit, 'status'> {
  return status === undefined || (status >= 200 && status < 300) ? {} : { status };
}

/** The refs are gone with the session. Text of a page cannot look like one. */
function withoutRefs(lines: readonly string[], { name }: Session): readonly string[] {
  const refs = new RegExp(` \\[ref=${name}:\\w+\\]`, 'g');
  return lines.map((line) => line.replaceAll(refs, ''));
}

function withoutTyped(text: string, { tabs }: Session): string {
  return tabs.reduce((shown, { typedSecrets }) => typedSecrets.redact(shown), text);
}

function errorOf({ failed, count }: StepsRun, stopOnError: boolean): Pick<Visit, 'error' | 'failedStep'> {
  if (failed === undefined || (!stopOnError && count > 0)) return {};
  return { error: failed.error, failedStep: failed.number };
}

/** What a step returned: its data, its text, or the snapshot that it took. */
function shownBy(end: StepEnd): unknown {
  const value = valueOf(end);
  return value === '' || value === undefined ? end.report?.snapshot?.lines.join('\n') : value;
}
