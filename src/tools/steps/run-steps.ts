import type { CallContext } from '../../call/tool.ts';
import type { StepEnd } from '../../call/steps.ts';
import { ToolError } from '../../errors.ts';
import type { ErrorView } from '../../errors.ts';
import type { Session } from '../../session/session.ts';
import { isRecord } from '../../util/records.ts';
import { holds, unmet } from './conditions.ts';
import type { Step } from './read-steps.ts';
import { linesOf, notRun } from './step-lines.ts';
import { substitute } from './variables.ts';

/** What became of the steps. */
export interface StepsRun {
  /** One line per step, with what it returned below it. */
  readonly lines: readonly string[];
  /** How the steps ended that were run. */
  readonly ends: readonly NumberedEnd[];
  /** How many were done. */
  readonly count: number;
  /** The first step that failed. */
  readonly failed?: { readonly number: number; readonly tool: string; readonly error: ErrorView };
  readonly hasChanged: boolean;
}

export interface NumberedEnd extends StepEnd {
  readonly number: number;
}

export interface StepsOptions {
  readonly stopOnError: boolean;
  /** The answer is the error of the step that failed: its line need not repeat it. */
  readonly isErrorShown?: boolean;
  /** Tokens for what steps read. */
  readonly maxTokens: number;
}

const leastTokens = 300;

/** Runs the steps one after the other, in a session whose queue the call holds. */
export async function runSteps(
  steps: readonly Step[],
  context: CallContext,
  session: Session,
  { stopOnError, isErrorShown = false, maxTokens }: StepsOptions,
): Promise<StepsRun> {
  const { response, progress, signal } = context;
  const values = new Map<string, unknown>();
  const lines: string[] = [];
  const ends: NumberedEnd[] = [];
  let failed: StepsRun['failed'];
  const reads = steps.filter(({ tool }) => tool.effect === 'read').length;
  const share = Math.max(leastTokens, maxTokens / 2 / Math.max(1, reads));
  for (const step of steps) {
    const { number, tool, condition } = step;
    progress(`Step ${number} of ${steps.length}: ${tool.name}`);
    const interrupted = `${number}. ${tool.name}: interrupted`;
    const place = response.done.push(interrupted) - 1;
    const resolved = condition && asCondition(condition, values, context.secrets.names);
    if (resolved !== undefined && !(await holds(resolved, session, signal))) {
      response.done[place] = `${number}. ${tool.name}: not run`;
      lines.push(`${number}. ${tool.name}: not run: ${unmet(resolved)}`);
      continue;
    }
    const end = await runStep(step, context, session, { values, share });
    signal.throwIfAborted();
    ends.push({ ...end, number });
    for (const key of [String(number), ...(step.as === undefined ? [] : [step.as])]) values.set(key, valueOf(end));
    lines.push(...linesOf(number, tool.name, end, isErrorShown));
    response.done[place] =
      `${number}. ${tool.name}: ${end.error === undefined ? 'done' : `failed [${end.error.kind}]`}`;
    if (end.error === undefined) continue;
    failed ??= { number, tool: tool.name, error: end.error };
    if (!stopOnError) continue;
    lines.push(...notRun(number + 1, steps.length));
    break;
  }
  const count = ends.filter(({ error }) => error === undefined).length;
  const hasChanged = ends.some((end) => end.hasChanged);
  return { lines, ends, count, hasChanged, ...(failed === undefined ? {} : { failed }) };
}

function asCondition(
  condition: NonNullable<Step['condition']>,
  values: ReadonlyMap<string, unknown>,
  secrets: readonly string[],
) {
  const text = (given: string | undefined): string | undefined =>
    given === undefined ? undefined : String(substitute(given, values, secrets));
  return { ...condition, text: text(condition.text), ref: text(condition.ref), url: text(condition.url) };
}

async function runStep(
  { tool, args, prepared }: Step,
  context: CallContext,
  session: Session,
  { values, share }: { readonly values: ReadonlyMap<string, unknown>; readonly share: number },
): Promise<StepEnd> {
  try {
    const ready = prepared ?? (await context.prepareStep(tool.name, substitute(args, values, context.secrets.names)));
    return await ready.run(context, session, share);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof ToolError)) throw error;
    return { error: error.view, lead: 0, hasChanged: false };
  }
}

/** The value that later steps can use: the data of the answer, or its text. */
export function valueOf({ value, report, lead }: StepEnd): unknown {
  if (isRecord(value)) return Object.keys(value).join() === 'result' ? value['result'] : value;
  return value ?? report?.result.slice(lead).join('\n');
}
