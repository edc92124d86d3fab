import { parseDomainRule } from './domain-rule.ts';
import type { DomainRule } from './domain-rule.ts';

/** Effects that a rule can name: those of tools, `files` for uploads, `*` for all. */
export const actionEffects = ['read', 'navigate', 'input', 'code', 'manage', 'files', '*'] as const;
export type ActionEffect = (typeof actionEffects)[number];
export type Decision = 'allow' | 'ask' | 'deny';

/** What to do with calls of some effects, everywhere or on the pages of some hosts. */
export interface ActionRule {
  readonly text: string;
  readonly effects: readonly ActionEffect[];
  /** Every page if absent. */
  readonly on?: DomainRule;
  readonly decision: Decision;
}

const syntax = /^([a-z*]+(?:,[a-z*]+)*)(?:@([^\s=]+))?=(allow|ask|deny)$/;

/** Parses `input,code@https://bank.example=ask`. */
export function parseActionRule(given: string): ActionRule | { readonly problem: string } {
  const text = given.trim();
  const [, names = '', host, decision] = syntax.exec(text) ?? [];
  const effects = names.split(',').flatMap((name) => actionEffects.find((effect) => effect === name) ?? []);
  if (!isDecision(decision) || effects.length !== names.split(',').length) {
    const example = 'write EFFECT=DECISION or EFFECT@ORIGIN=DECISION, such as input@https://bank.example=ask';
    const known = `Effects are ${actionEffects.join(', ')}; decisions are allow, ask, deny`;
    return { problem: `${JSON.stringify(given)} is not an action rule: ${example}. ${known}` };
  }
  if (host === undefined) return { text, effects, decision };
  const on = parseDomainRule(host);
  return 'problem' in on ? on : { text, effects, on, decision };
}

function isDecision(text: string | undefined): text is Decision {
  return text === 'allow' || text === 'ask' || text === 'deny';
}

/** Why a rule cannot be used, if so. */
export function actionRuleProblem(text: string): string | undefined {
  const rule = parseActionRule(text);
  return 'problem' in rule ? rule.problem : undefined;
}
