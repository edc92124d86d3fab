import * as z from 'zod';
import { ToolError } from '../../errors.ts';
import { selectorText, selectorTypes } from '../../session/snapshot/target.ts';
import type { Target } from '../../session/snapshot/target.ts';
import { isRef, isRoleAndName, readTarget } from './read-target.ts';
import type { Place } from './read-target.ts';

/** Accepted, but not advertised: listing the aliases of other servers would cost tokens in every conversation. */
export function hidden<T extends z.ZodType>(field: T): T {
  return field.meta({ hidden: true });
}

/** A number within bounds. The listed schema omits the bounds, which not all clients support; an error names them. */
export function within(least: number, most: number): z.ZodNumber {
  return z.number().refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`);
}

export function wholeWithin(least: number, most: number): z.ZodNumber {
  const isGood = (value: number): boolean => Number.isInteger(value) && value >= least && value <= most;
  return z.number().refine(isGood, `must be a whole number from ${least} to ${most}`);
}

/** Limits the work that one call causes in the browser. */
export const clickCount = wholeWithin(1, 100);
/** Milliseconds that a key or button is held; longer would block the call. */
export const hold = within(0, 30_000);
/** Side of a viewport in pixels; browsers reject larger ones or run out of memory. */
export const side = wholeWithin(1, 10_000);
/** Longest timeout: a day. */
export const milliseconds = within(0, 86_400_000);

const aliases = {
  target: hidden(z.string().optional().describe('A ref or a selector')),
  selector: hidden(z.string().optional().describe('A selector')),
  selectorType: hidden(z.enum(selectorTypes).optional().describe('How the selector is written')),
  options: hidden(
    z.record(z.string(), z.unknown()).optional().describe('Further options of the selector or the action'),
  ),
};

function hiddenNames() {
  const { target, selectorType, options } = aliases;
  return { ref: hidden(z.string().optional().describe('A ref')), target, selectorType, options };
}

const element = z.string().optional().describe('Element description');
const refText = 'Ref or selector';

/** A required element. */
export const targetShape = {
  element,
  ref: z.string().optional().describe(refText).meta({ advertise: 'required' }),
  ...aliases,
};

/** An optional element; without it the tool applies to the page. */
export const optionalTargetShape = {
  element: hidden(element),
  ref: z.string().optional().describe('Ref or selector'),
  ...aliases,
};

/** A required element for tools whose specification calls it `selector`. */
export const selectorShape = {
  selector: z.string().optional().describe('CSS selector, XPath, or ref').meta({ advertise: 'required' }),
  ...hiddenNames(),
};

/** The same, optional: without it the tool applies to the page. */
export const optionalSelectorShape = {
  selector: z.string().optional().describe('CSS selector, XPath, or ref'),
  ...hiddenNames(),
};

export const timeoutShape = { timeout: hidden(milliseconds.optional().describe('Timeout in milliseconds')) };

export interface TargetArguments {
  readonly element?: string | undefined;
  readonly ref?: string | undefined;
  readonly target?: string | undefined;
  readonly selector?: string | undefined;
  readonly selectorType?: (typeof selectorTypes)[number] | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** The three ways to name an element. */
export const targetKeys = ['ref', 'target', 'selector'] as const;

/** Refuses an element that is named twice, or by an empty text. Returns the argument that names it, if any. */
export function checkTarget(args: TargetArguments): (typeof targetKeys)[number] | undefined {
  const given = targetKeys.filter((key) => args[key] !== undefined);
  if (given.length > 1) {
    const problems = [
      `Give the element once, not as ${given.join(' and ')}.`,
      'Accepted arguments: ref, target or selector.',
    ];
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: targetKeys });
  }
  const [key] = given;
  const text = key === undefined ? undefined : args[key];
  if (text?.trim() === '') throw new ToolError('INVALID_SELECTOR', { selector: text, reason: 'it is empty' });
  return key;
}

/** The element that the arguments name, if any. */
export function optionalTarget(args: TargetArguments, here: Place): Target | undefined {
  const key = checkTarget(args);
  if (key === undefined) return undefined;
  const text = args[key] ?? '';
  // No page has an element called e12, so such a text is a ref under any argument name.
  if (args.selectorType === undefined && (key !== 'selector' || isRef(text) || isRoleAndName(text)))
    return described(readTarget(text, here), args.element);
  return {
    kind: 'selector',
    selector: text,
    type: args.selectorType ?? 'css',
    options: args.options ?? {},
    given: text,
  };
}

function described(target: Target, element: string | undefined): Target {
  return target.kind === 'ref' && element !== undefined ? { ...target, described: element } : target;
}

/** The target of an action, as errors name it. */
export function aimAt(target: Target | undefined): { readonly target?: string; readonly selector?: string } {
  if (target === undefined) return {};
  if (target.kind !== 'selector') return { target: target.given };
  return { target: target.given, selector: selectorText(target) };
}

export function requiredSelector(args: TargetArguments, here: Place): Target {
  const target = optionalTarget(args, here);
  if (target !== undefined) return target;
  const problems = ['Missing argument "selector" (a string).', 'Also accepted: ref, target.'];
  throw new ToolError('MISSING_PARAMETER', { problems, accepted: targetKeys });
}

export function requiredTarget(args: TargetArguments, here: Place): Target {
  return optionalTarget(args, here) ?? missingTarget();
}

/** For tools that need an element: refuses arguments without one. */
export function needsTarget(args: TargetArguments): void {
  if (checkTarget(args) === undefined) missingTarget();
}

function missingTarget(): never {
  const problems = [
    'Missing argument "ref": a ref from a snapshot, or a selector.',
    'Also accepted: target, selector.',
  ];
  throw new ToolError('MISSING_PARAMETER', { problems, accepted: targetKeys });
}

/** Removes keys without a value: Playwright distinguishes absent and undefined options. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Only keys with a value are copied, as the type says.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<T>
  >;
}

/** The element as answers name it: the given selector, the caller's description, or the line of the snapshot. */
export function labelOf(args: TargetArguments, label: string): string {
  return args.selector ?? args.element ?? label;
}
