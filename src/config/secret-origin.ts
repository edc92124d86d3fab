import { parseDomainRule } from './domain-rule.ts';
import type { DomainRule } from './domain-rule.ts';

/** Where a secret may be used. */
export interface SecretOrigin {
  readonly name: string;
  readonly on: DomainRule;
}

/** Parses `PASSWORD@https://bank.example`. */
export function parseSecretOrigin(text: string): SecretOrigin | { readonly problem: string } {
  const [, name, host] = /^\s*([^@\s]+)@(\S+)\s*$/.exec(text) ?? [];
  if (name === undefined || host === undefined) {
    const example = 'write NAME@ORIGIN, such as PASSWORD@https://bank.example';
    return { problem: `${JSON.stringify(text)} does not name a secret and an origin: ${example}` };
  }
  const on = parseDomainRule(host);
  return 'problem' in on ? on : { name, on };
}

/** Why a rule cannot be used, if so. A misspelt name would leave a secret without its rule. */
export function secretOriginProblem(text: string, names: readonly string[]): string | undefined {
  const rule = parseSecretOrigin(text);
  if ('problem' in rule) return rule.problem;
  if (names.includes(rule.name)) return undefined;
  return `there is no secret ${JSON.stringify(rule.name)}; the secrets are ${names.join(', ') || 'none'}`;
}
