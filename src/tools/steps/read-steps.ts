import * as z from 'zod';
import type { PreparedStep, PrepareStep } from '../../call/steps.ts';
import { ToolError } from '../../errors.ts';
import type { Tab } from '../../session/tab.ts';
import { isRecord } from '../../util/records.ts';
import { isRef } from '../lib/read-target.ts';
import { conditionShape } from './conditions.ts';
import type { Condition } from './conditions.ts';
import { stepOf, variablesIn } from './variables.ts';

const mostSteps = 20;

/** Other servers write `name` and `arguments`, and models write arguments beside the name of the tool. */
function asStep(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { tool = given['name'], args = given['arguments'], if: condition, as, ...rest } = given;
  const { name: _name, arguments: _arguments, ...loose } = rest;
  const flat = given['tool'] === undefined || args !== undefined ? loose : rest;
  const step = { tool, args: isRecord(args) ? { ...flat, ...args } : (args ?? flat) };
  return { ...step, ...(condition === undefined ? {} : { if: condition }), ...(as === undefined ? {} : { as }) };
}

const step = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()).optional(),
  if: conditionShape.optional(),
  as: z.string().optional().meta({ hidden: true }),
});
const isCount = (steps: readonly unknown[]): boolean => steps.length > 0 && steps.length <= mostSteps;

export const stepsShape = z.array(z.preprocess(asStep, step)).refine(isCount, `must have 1 to ${mostSteps} steps`);

/** A step whose tool and arguments have been checked. */
export interface Step {
  readonly number: number;
  readonly tool: PreparedStep['tool'];
  readonly args: Readonly<Record<string, unknown>>;
  readonly condition?: Condition | undefined;
  /** A name for its value, besides its number. */
  readonly as?: string | undefined;
  /** Absent if it has variables: it is prepared when their values are known. */
  readonly prepared?: PreparedStep;
}

/** The tabs whose refs the caller knows. */
export interface Shown {
  readonly tabs: readonly Pick<Tab, 'refs'>[];
}

/** Checks all steps; nothing has run if one of them is wrong. */
export async function readSteps(
  given: z.output<typeof stepsShape>,
  prepare: PrepareStep,
  session: Shown,
): Promise<readonly Step[]> {
  const problems: string[] = [];
  const steps: Step[] = [];
  const known = new Set<string>();
  for (const [index, { tool: name, args = {}, if: condition, as }] of given.entries()) {
    const number = index + 1;
    try {
      const variables = variablesIn([args, condition]);
      for (const path of variables) checkVariable(path, known);
      checkRefs(args, session);
      const prepared = await prepareOr(prepare, name, args);
      const { tool } = prepared;
      if (variables.length > 0 && (tool.effect === 'code' || tool.uploadsFiles)) {
        // The value comes from a page, which would choose the script or the file.
        refuse(`${tool.name} takes no values of other steps.`);
      }
      const isReady = variablesIn(args).length === 0;
      steps.push({ number, tool, args, condition, as, ...(isReady ? { prepared } : {}) });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(`Step ${number}: ${error.message}`);
    }
    known.add(String(number));
    if (as !== undefined) known.add(as);
  }
  if (problems.length === 0) return steps;
  throw new ToolError('INVALID_ARGUMENT', { problems: [...problems, 'No step was run.'], accepted: [] });
}

function refuse(problem: string): never {
  throw new ToolError('INVALID_ARGUMENT', { problems: [problem], accepted: [] });
}

function checkVariable(path: string, known: ReadonlySet<string>): void {
  if (!known.has(stepOf(path))) refuse(`{{${path}}} does not refer to an earlier step.`);
}

/** Arguments with variables are left out of the check: their values are not known yet. */
async function prepareOr(
  prepare: PrepareStep,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<PreparedStep> {
  const entries = Object.entries(args);
  const plain = Object.fromEntries(entries.filter(([, value]) => variablesIn(value).length === 0));
  try {
    return await prepare(name, plain);
  } catch (error) {
    const isComplete = Object.keys(plain).length === entries.length;
    if (isComplete || !(error instanceof ToolError) || error.code !== 'MISSING_PARAMETER') throw error;
    // A required argument is a variable: check the rest with a text in its place.
    return prepare(name, args);
  }
}

const elementKeys = /ref$|target$/i;

/** A ref that no tab has shown leads nowhere, whatever earlier steps do: they show no refs to the caller. */
function checkRefs(value: unknown, session: Shown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'object') checkRefs(item, session);
    if (typeof item !== 'string' || !elementKeys.test(key) || !isRef(item)) continue;
    const ref = item.slice(item.indexOf(':') + 1);
    const isKnown = session.tabs.some((tab) => tab.refs.hasShown(ref)) || /^c\d/.test(ref);
    if (!isKnown) throw new ToolError('REF_NOT_FOUND', { ref: item });
  }
}
