/** A default that another option changes. It holds only where the operator has said nothing. */
interface DependentDefault {
  /** The condition, as the configuration page says it. */
  readonly when: string;
  readonly applies: (given: (path: string) => unknown) => boolean;
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys whose default is the value of another key. */
  readonly copies?: Readonly<Record<string, string>>;
}

export const dependentDefaults: readonly DependentDefault[] = [
  {
    when: '`compat` is `playwright`',
    applies: (given) => given('compat') === 'playwright',
    values: { imageResponses: 'allow', 'snapshot.mode': 'full' },
  },
  {
    when: '`compat` is `playwright` and the browser is headless',
    applies: (given) => given('compat') === 'playwright' && given('browser.headless') === true,
    values: { 'timeouts.idle': 3_600_000 },
  },
  {
    when: '`toolsets` is `basic` alone',
    applies: (given) => {
      const toolsets = given('toolsets');
      return Array.isArray(toolsets) && toolsets.length > 0 && toolsets.every((name) => name === 'basic');
    },
    values: { launch: 'explicit' },
  },
  {
    when: '`session.defaultTimeout` is given',
    applies: (given) => given('session.defaultTimeout') !== undefined,
    values: { 'timeouts.failFast': false },
    copies: { 'timeouts.action': 'session.defaultTimeout', 'timeouts.navigation': 'session.defaultTimeout' },
  },
  {
    when: '`timeouts.action` is given',
    applies: (given) => given('timeouts.action') !== undefined,
    values: { 'timeouts.failFast': false },
  },
  {
    when: '`logging.file` is given',
    applies: (given) => given('logging.file') !== undefined,
    values: { 'logging.destination': 'file' },
  },
];
