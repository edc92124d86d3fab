import { driverOf } from '../call/binding.ts';
import type { ApiKey, KeyScope } from '../config/schema/keys.ts';
import { ConfigError } from '../errors.ts';
import type { Config } from '../config/schema/schema.ts';
import { DomainPolicy } from '../policy/domains.ts';
import type { DriverId, DriverRules } from '../session/session.ts';

type ScopeRules = Pick<KeyScope, 'allowedDomains' | 'blockedDomains'>;

interface Entry {
  readonly policy: DomainPolicy;
  /** The rules as JSON, to find changes. */
  readonly text: string;
}

export function keyRulesOf({ security, network }: Config): KeyRules {
  return new KeyRules(new DomainPolicy({ ...security, ...network }));
}

/** The domain rules of the operator and those of each API key. */
export class KeyRules implements DriverRules {
  readonly operator: DomainPolicy;
  #entries: ReadonlyMap<DriverId, Entry> = new Map();
  #isRestricted: boolean;
  #hasKeys = false;

  constructor(operator: DomainPolicy) {
    this.operator = operator;
    this.#isRestricted = !operator.isOpen;
  }

  /** Whether any session may have rules: browsers need flags for it when they start. */
  get isRestricted(): boolean {
    return this.#isRestricted;
  }

  of(driver: DriverId): DomainPolicy | undefined {
    return this.#entries.get(driver)?.policy;
  }

  /** Takes the rules of these keys; returns the drivers whose rules have changed. */
  replace(keys: readonly ApiKey[]): readonly DriverId[] {
    const next = entriesOf(keys, this.operator);
    if (this.#hasKeys && next.size > 0 && !this.#isRestricted) {
      throw new ConfigError([
        'The first key with domain rules needs a restart: running browsers lack its restrictions.',
      ]);
    }
    this.#hasKeys = true;
    this.#isRestricted ||= next.size > 0;
    const before = this.#entries;
    this.#entries = next;
    return [...new Set([...before.keys(), ...next.keys()])].filter(
      (driver) => before.get(driver)?.text !== next.get(driver)?.text,
    );
  }
}

/** Keys with one name share their sessions, so the rules of all of them apply. */
function entriesOf(keys: readonly ApiKey[], operator: DomainPolicy): ReadonlyMap<DriverId, Entry> {
  const entries = new Map<DriverId, Entry>();
  for (const { name, scope } of keys) {
    if (!hasRules(scope)) continue;
    const driver = driverOf({ key: name, connection: undefined }, false);
    const known = entries.get(driver);
    const rules: ScopeRules = { allowedDomains: scope.allowedDomains, blockedDomains: scope.blockedDomains };
    const text = JSON.stringify(rules);
    if (known?.text.split('\n').includes(text) === true) continue;
    entries.set(driver, {
      policy: (known?.policy ?? operator).narrowedBy(name, rules),
      text: known === undefined ? text : `${known.text}\n${text}`,
    });
  }
  return entries;
}

/** An empty allowlist allows everything, as in the operator's rules. */
export function hasRules({ allowedDomains = [], blockedDomains = [] }: ScopeRules): boolean {
  return allowedDomains.length + blockedDomains.length > 0;
}
