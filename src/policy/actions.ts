import { parseActionRule } from '../config/action-rule.ts';
import type { ActionEffect, ActionRule, Decision } from '../config/action-rule.ts';
import { hostRule } from './domains.ts';
import type { HostRule } from './domains.ts';

/** A decision and the rule that made it. */
export interface ActionVerdict {
  readonly decision: Decision;
  readonly rule: string;
}

interface Rule extends ActionRule {
  readonly matches?: HostRule;
}

/** Decides what a call may do on a page. The first rule that matches decides; without one, the call is allowed. */
export class ActionPolicy {
  readonly #rules: readonly Rule[];

  constructor(texts: readonly string[]) {
    this.#rules = texts.map((text) => {
      const rule = parseActionRule(text);
      // The configuration has been checked.
      if ('problem' in rule) throw new Error(rule.problem);
      return rule.on === undefined ? rule : { ...rule, matches: hostRule(rule.on) };
    });
  }

  get isOpen(): boolean {
    return this.#rules.length === 0;
  }

  /** Whether a call may need the confirmation of a user. */
  get asks(): boolean {
    return this.#rules.some(({ decision }) => decision === 'ask');
  }

  /** The verdict on a call with these effects, on a page with this URL. */
  decide(effects: readonly ActionEffect[], url: string | undefined): ActionVerdict | undefined {
    const rule = this.#rules.find(
      ({ effects: named, on, matches }) =>
        (named.includes('*') || effects.some((effect) => named.includes(effect))) &&
        (on === undefined || (url !== undefined && matches?.(url) === true)),
    );
    return rule === undefined ? undefined : { decision: rule.decision, rule: rule.text };
  }
}
