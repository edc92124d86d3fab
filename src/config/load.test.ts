import { describe, expect, test } from 'vitest';
import { load } from '../../tests/memory-config.ts';
import type { Given } from '../../tests/memory-config.ts';
import { ConfigError } from '../errors.ts';
import { listOptions } from './options.ts';
import { getPath } from './paths.ts';

function problems(given: Given): readonly string[] {
  try {
    load(given);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function value(path: string, given: Given): unknown {
  return getPath(load(given).config, path);
}

describe('defaults', () => {
  test('without settings every option has the default of the schema', () => {
    const { config, warnings, given, rest, help, version } = load({});
    for (const { path, defaultValue } of listOptions()) expect(getPath(config, path), path).toEqual(defaultValue);
    expect({ warnings, given: [...given], rest, help, version }).toEqual({
      warnings: [],
      given: [],
      rest: [],
      help: false,
      version: false,
    });
  });

  test('[S1-02, R-15] the defaults that clients rely on are these', () => {
    const { config } = load({});
    expect(config).toMatchObject({
      name: 'pagehelm',
      transport: 'stdio',
      launch: 'lazy',
      toolsets: ['core'],
      browser: { type: 'chromium', cdpTimeout: 30_000, isolated: false },
      timeouts: { action: 5000, navigation: 60_000, load: 5000, settle: 500, expect: 5000, call: 120_000 },
      session: { timeout: 300_000, defaultTimeout: 30_000, maxSessions: 10, expiry: 'sliding', queueLimit: 32 },
      snapshot: { mode: 'auto', maxTokens: 6000 },
      imageResponses: 'file',
      security: { maxScreenshotSize: 10_485_760, enableFileUpload: true, enableScriptEvaluation: true },
      logging: { level: 'info', format: 'text', destination: 'stderr' },
    });
    expect(config.browser.headless).toBeUndefined();
    expect(config.browser.sandbox).toBeUndefined();
  });
});

describe('spellings on the command line', () => {
  test.each([
    ['--headless', 'browser.headless', true],
    ['--headless=false', 'browser.headless', false],
    ['--headless false', 'browser.headless', false],
    ['--headless true', 'browser.headless', true],
    ['--no-headless', 'browser.headless', false],
    ['--headless --no-headless', 'browser.headless', false],
    ['--sandbox', 'browser.sandbox', true],
    ['--no-sandbox', 'browser.sandbox', false],
    ['--noSandbox', 'browser.sandbox', false],
    ['--no-sandbox=false', 'browser.sandbox', true],
    ['--no-webmcp', 'webmcp', false],
    ['--no-auth', 'auth', false],
    ['--session-timeout 1000', 'session.timeout', 1000],
    ['--session-timeout=1000', 'session.timeout', 1000],
    ['--sessionTimeout 1000', 'session.timeout', 1000],
    ['--maxSessions=5', 'session.maxSessions', 5],
    ['--max-sessions 4 --maxSessions 5', 'session.maxSessions', 5],
    ['--viewport-size 800x600', 'browser.viewport', { width: 800, height: 600 }],
    ['--viewport-size=800,600', 'browser.viewport', { width: 800, height: 600 }],
    ['--caps vision,pdf', 'capabilities', ['vision', 'pdf']],
    ['--caps vision --caps=pdf', 'capabilities', ['vision', 'pdf']],
    ['--caps vision,,pdf,', 'capabilities', ['vision', 'pdf']],
    ['--vision', 'capabilities', ['vision']],
    ['--caps pdf --vision', 'capabilities', ['pdf', 'vision']],
    [
      '--allowed-origins https://a.example;https://b.example',
      'network.allowedOrigins',
      ['https://a.example', 'https://b.example'],
    ],
    ['--allowed-hosts a.example b.example', 'server.allowedHosts', ['a.example', 'b.example']],
    ['--init-script a.js b.js --isolated', 'browser.initScript', ['a.js', 'b.js']],
    ['--browser-arg=--mute-audio --browser-arg=--lang=en,de', 'browser.args', ['--mute-audio', '--lang=en,de']],
    ['--proxy-server socks5://localhost:1080', 'browser.proxy', { server: 'socks5://localhost:1080' }],
    ['--endpoint ws://localhost:3000', 'browser.remoteEndpoint', 'ws://localhost:3000'],
    ['--api-key mysecretkey', 'apiKey', 'mysecretkey'],
    ['--port 8931', 'server.port', 8931],
  ])('%s sets %s', (argv, path, expected) => {
    expect(value(path, { argv, files: { 'a.js': '', 'b.js': '' } })).toEqual(expected);
  });

  test('headers are repeatable and are not split at commas', () => {
    const args = ['--cdp-header', 'Accept: a, b', '--cdp-header=X-Time: 12:30'];
    expect(value('browser.cdpHeaders', { args })).toEqual({ Accept: 'a, b', 'X-Time': '12:30' });
  });

  test.each([
    ['chromium', 'chromium', undefined],
    ['firefox', 'firefox', undefined],
    ['webkit', 'webkit', undefined],
    ['chrome', 'chromium', 'chrome'],
    ['chrome-beta', 'chromium', 'chrome-beta'],
    ['chrome-canary', 'chromium', 'chrome-canary'],
    ['chrome-dev', 'chromium', 'chrome-dev'],
    ['msedge', 'chromium', 'msedge'],
    ['msedge-beta', 'chromium', 'msedge-beta'],
    ['msedge-canary', 'chromium', 'msedge-canary'],
    ['msedge-dev', 'chromium', 'msedge-dev'],
    ['moz-firefox', 'firefox', 'moz-firefox'],
    ['moz-firefox-beta', 'firefox', 'moz-firefox-beta'],
    ['moz-firefox-nightly', 'firefox', 'moz-firefox-nightly'],
  ])('--browser %s is %s with the channel %s', (name, type, channel) => {
    const { browser } = load({ argv: `--browser ${name}` }).config;
    expect([browser.type, browser.channel]).toEqual([type, channel]);
  });

  test('--channel wins over the channel that --browser implies, in any order', () => {
    expect(value('browser.channel', { argv: '--channel chrome-beta --browser chrome' })).toBe('chrome-beta');
    expect(value('browser.channel', { argv: '--browser chrome --channel chrome-beta' })).toBe('chrome-beta');
  });

  test("an engine's name on the command line clears the channel of the file", () => {
    const files = { 'config.json': { browser: { launchOptions: { channel: 'chrome' } } } };
    const { config, given } = load({ argv: '--browser firefox', files });
    expect([config.browser.type, config.browser.channel, given.has('browser.channel')]).toEqual([
      'firefox',
      undefined,
      false,
    ]);
  });

  test('words that belong to no flag are positional arguments', () => {
    expect(load({ argv: '--headless install-browser --caps pdf chrome -- --odd' }).rest).toEqual([
      'install-browser',
      'chrome',
      '--odd',
    ]);
  });

  test.each([
    ['--help', true, false],
    ['-h', true, false],
    ['--version', false, true],
    ['-V', false, true],
    ['-v', false, true],
  ])('%s is recognized despite other errors', (word, help, version) => {
    const loaded = load({ args: ['--headles', word], env: { PAGEHELM_PORT: 'x' } });
    expect([loaded.help, loaded.version]).toEqual([help, version]);
  });
});

describe('environment', () => {
  test.each([
    ['HEADLESS', 'true', 'browser.headless', true],
    ['HEADLESS', '0', 'browser.headless', false],
    ['SANDBOX', 'false', 'browser.sandbox', false],
    ['CAPS', 'vision, pdf', 'capabilities', ['vision', 'pdf']],
    ['VIEWPORT_SIZE', '800x600', 'browser.viewport', { width: 800, height: 600 }],
    ['BROWSER', 'msedge', 'browser.channel', 'msedge'],
    ['CDP_HEADERS', 'A: b, c', 'browser.cdpHeaders', { A: 'b, c' }],
    ['TIMEOUT_ACTION', '250', 'timeouts.action', 250],
  ])('%s=%s is read after both prefixes', (name, text, path, expected) => {
    expect(value(path, { env: { [`PAGEHELM_${name}`]: text } })).toEqual(expected);
    expect(value(path, { env: { [`PLAYWRIGHT_MCP_${name}`]: text } })).toEqual(expected);
  });

  test('PAGEHELM_ wins over PLAYWRIGHT_MCP_', () => {
    const env = { PLAYWRIGHT_MCP_MAX_SESSIONS: '3', PAGEHELM_MAX_SESSIONS: '4' };
    expect(value('session.maxSessions', { env })).toBe(4);
  });

  test('an empty variable counts as not set', () => {
    const { config, given } = load({ env: { PAGEHELM_MAX_SESSIONS: '', PAGEHELM_DEVICE: '  ' } });
    expect([config.session.maxSessions, config.browser.device, given.size]).toEqual([10, undefined, 0]);
  });

  test('an unknown PAGEHELM_ variable is a warning with the nearest name', () => {
    const env = { PAGEHELM_HEADLES: '1', PAGEHELM_QQQQQQ: '1', PLAYWRIGHT_MCP_HEADLES: '1', PATH: '/bin' };
    expect(load({ env }).warnings).toEqual([
      'Unknown variable PAGEHELM_HEADLES is ignored. Did you mean PAGEHELM_HEADLESS?',
      'Unknown variable PAGEHELM_QQQQQQ is ignored.',
    ]);
  });

  test('an empty flag counts as not given and overrides the file', () => {
    const files = { 'config.json': { browser: { userAgent: 'Of the file' } } };
    expect(value('browser.userAgent', { argv: '--user-agent=', files })).toBeUndefined();
    expect(value('browser.proxy', { argv: '--proxy-server=' })).toBeUndefined();
    expect(value('testIdAttribute', { argv: '--test-id-attribute=' })).toBe('data-testid');
  });

  test('scripts and modules are relative to the configuration file, those of flags to the working directory', () => {
    const files = {
      'conf/a.json': { browser: { initScript: ['a.js', '/b.js'], initPage: ['../c.mjs'], userDataDir: 'p' } },
      'conf/a.js': '',
      '/b.js': '',
      'c.mjs': '',
      'a.js': '',
    };
    const { browser } = load({ argv: '--config conf/a.json', files }).config;
    expect(browser.initScript).toEqual(['/project/conf/a.js', '/b.js']);
    expect(browser.initPage).toEqual(['/project/c.mjs']);
    expect(browser.userDataDir).toBe('p');
    expect(value('browser.initScript', { argv: '--init-script a.js', files })).toEqual(['a.js']);
  });

  test('the ping time-out of other servers is accepted without a warning', () => {
    expect(load({ env: { PLAYWRIGHT_MCP_PING_TIMEOUT_MS: '5000' } }).warnings).toEqual([]);
  });

  test('the file may be named by a variable, and the flag wins', () => {
    const files = { 'a.json': { name: 'a' }, 'b.json': { name: 'b' } };
    expect(value('name', { env: { PAGEHELM_CONFIG: 'a.json' }, files })).toBe('a');
    expect(value('name', { env: { PAGEHELM_CONFIG: 'a.json' }, argv: '--config b.json', files })).toBe('b');
  });
});

describe('priority', () => {
  const files = { 'config.json': { session: { maxSessions: 1, timeout: 1, queueLimit: 1 } } };
  const env = { PAGEHELM_SESSION_TIMEOUT: '2', PAGEHELM_QUEUE_LIMIT: '2' };

  test('flags win over the environment, the environment over the file, the file over defaults', () => {
    const { config, given } = load({ files, env, argv: '--queue-limit 3' });
    expect(config.session).toMatchObject({ maxSessions: 1, timeout: 2, queueLimit: 3, defaultTimeout: 30_000 });
    expect([...given].sort()).toEqual(['configFile', 'session.maxSessions', 'session.queueLimit', 'session.timeout']);
  });

  test('a flag wins over Playwright’s options in the file', () => {
    const file = { browser: { launchOptions: { headless: false, slowMo: 5 } } };
    const { browser } = load({ files: { 'config.json': file }, argv: '--headless' }).config;
    expect([browser.headless, browser.launchOptions]).toEqual([true, { slowMo: 5 }]);
  });
});

describe('wrong input', () => {
  test.each([
    ['--headles', 'Unknown option --headles. Did you mean --headless?'],
    ['--sesionTimeout 4', 'Unknown option --sesionTimeout. Did you mean --session-timeout?'],
    ['--qqqqqqqqqq', 'Unknown option --qqqqqqqqqq. See --help.'],
    ['-x', 'Unknown option -x. See --help.'],
    ['--max-sessions many', '--max-sessions: expected a whole number, at least 1, got "many".'],
    ['--max-sessions 0', '--max-sessions: expected a whole number, at least 1, got 0.'],
    ['--max-sessions 1.5', '--max-sessions: expected a whole number, at least 1, got 1.5.'],
    ['--port 70000', '--port: expected a whole number from 0 to 65535, got 70000.'],
    ['--headless=maybe', '--headless: expected true or false, got "maybe".'],
    [
      '--snapshot-mode=ful',
      '--snapshot-mode: expected one of auto, full, diff, file, none, got "ful" (did you mean full?).',
    ],
    [
      '--toolset core,sesions',
      '--toolset: expected a list of core, viewpoint, design, sessions, basic, playwright, all, got ["core","sesions"] (did you mean sessions?).',
    ],
    [
      '--viewport-size 800',
      '--viewport-size: expected a width and a height, as 1280x720 or { "width": 1280, "height": 720 }, got "800".',
    ],
    [
      '--viewport-size 0x600',
      '--viewport-size: expected a width and a height, as 1280x720 or { "width": 1280, "height": 720 }, got {"width":0,"height":600}.',
    ],
    ['--output-dir', '--output-dir needs a value.'],
    [
      '--output-dir --headless',
      '--output-dir needs a value (one that begins with dashes is written --output-dir=--headless).',
    ],
    ['--device Pixel --mobile', '--device: cannot be combined with browser.mobile.'],
    ['--browser firefox --mobile', '--mobile: is not supported by Firefox.'],
    [
      '--cdp-endpoint localhost:9222',
      '--cdp-endpoint: is not a DevTools endpoint, such as http://localhost:9222 or ws://localhost:9222/….',
    ],
    ['--min-browsers 5 --max-browsers 1', '--min-browsers: is 5, more than pool.maxBrowsers (1).'],
    ['--log-destination file', '--log-destination: file needs logging.file.'],
    ['--config none.json', 'none.json: the configuration file cannot be read: there is no such file.'],
    ['--secrets none.env', '--secrets: none.env cannot be read: there is no such file.'],
    ['--init-script none.js', '--init-script: none.js cannot be read: there is no such file.'],
    ['--init-page none.mjs', '--init-page: none.mjs cannot be read: there is no such file.'],
  ])('%s stops the start', (argv, problem) => {
    expect(problems({ argv })).toEqual([problem]);
  });

  test('an unknown browser is an error that lists the names', () => {
    const [problem] = problems({ argv: '--browser chrom' });
    expect(problem).toMatch(
      /^--browser: expected one of chromium, chrome, .*, webkit, got "chrom" \(did you mean chrome\?\)\.$/,
    );
  });

  test('all problems are reported together', () => {
    const files = { 'config.json': { browser: { headles: true }, timeouts: { action: 'long' } } };
    expect(problems({ argv: '--isolatd', env: { PAGEHELM_PORT: 'x' }, files })).toEqual([
      'config.json: unknown key browser.headles (did you mean browser.headless?)',
      'config.json: timeouts.action: expected a whole number, at least 0, got "long".',
      'PAGEHELM_PORT: expected a whole number from 0 to 65535, got "x".',
      'Unknown option --isolatd. Did you mean --isolated?',
    ]);
  });

  test('a wrong value in the file is reported even when a flag sets the same option', () => {
    const files = { 'config.json': { name: 5 } };
    expect(problems({ argv: '--name x', files })).toEqual(['config.json: name: expected a string, got 5.']);
  });

  test('a wrong secret is not shown', () => {
    const files = { 'config.json': { apiKey: 12_345, secrets: { a: 1 } } };
    expect(problems({ files })).toEqual([
      'config.json: apiKey: expected a string, got a number.',
      'config.json: secrets: expected an object of strings, got an object.',
    ]);
  });

  test('the message of the error holds every problem on its own line', () => {
    expect(() => load({ argv: '--headles --isolatd' })).toThrow(
      'Unknown option --headles. Did you mean --headless?\nUnknown option --isolatd. Did you mean --isolated?',
    );
  });
});

describe('options that are not in effect', () => {
  test('setting one is a warning that names its source', () => {
    const files = { 'config.json': { webmcp: false } };
    const { warnings } = load({ argv: '--extension', env: { PLAYWRIGHT_MCP_PROFILE_DIR_NAME: 'x' }, files });
    expect(warnings).toEqual([
      'config.json: webmcp is accepted but has no effect in this version.',
      'PLAYWRIGHT_MCP_PROFILE_DIR_NAME is accepted but has no effect in this version.',
      '--extension is not offered. The server starts a browser of its own; to use a running one, give --cdp-endpoint.',
    ]);
  });

  test('setting one that is in effect is not', () => {
    expect(load({ argv: '--headless --launch startup --transport stdio --isolated' }).warnings).toEqual([]);
  });
});

describe('defaults that depend on other options', () => {
  test('--compat playwright changes what was not given', () => {
    const { config, given } = load({ argv: '--compat playwright --image-responses omit' });
    expect([config.imageResponses, config.snapshot.mode]).toEqual(['omit', 'full']);
    expect(given.has('snapshot.mode')).toBe(false);
    expect(value('imageResponses', { argv: '--compat playwright' })).toBe('allow');
  });

  test('PW_LANG_NAME sets the language of the code, which other sources override', () => {
    expect(value('codegen', { env: { PW_LANG_NAME: 'python' } })).toBe('python');
    expect(value('codegen', { env: { PW_LANG_NAME: 'python' }, argv: '--codegen java' })).toBe('java');
    expect(value('codegen', { env: { PW_LANG_NAME: 'javascript' } })).toBe('typescript');
  });

  test.each([
    ['--cdp-endpoint http://a:1', ['http://a:1']],
    ['--cdp-endpoint http://a:1 --cdp-endpoint=ws://b:2/x', ['http://a:1', 'ws://b:2/x']],
    ['--cdp-endpoint=http://a:1,ws://b:2/x?args=--c,--d,wss://e', ['http://a:1', 'ws://b:2/x?args=--c,--d', 'wss://e']],
    ['--cdp-endpoint=', undefined],
  ])('%s sets the endpoints', (argv, expected) => {
    expect(value('browser.cdpEndpoint', { args: argv.split(' ') })).toEqual(expected);
  });

  test('a CDP endpoint of a file is one text or a list, and no message shows it', () => {
    const file = (cdpEndpoint: unknown): Given => ({
      args: ['--config=c.json'],
      files: { 'c.json': { browser: { cdpEndpoint } } },
    });
    expect(value('browser.cdpEndpoint', file('http://a:1'))).toEqual(['http://a:1']);
    expect(value('browser.cdpEndpoint', file(['http://a:1', 'ws://b:2']))).toEqual(['http://a:1', 'ws://b:2']);
    expect(problems(file([]))).toEqual(['c.json: browser.cdpEndpoint: expected a list of strings, got a list.']);
    expect(problems(file(['http://a:1', 'b:2/secret']))).toEqual([
      'c.json: browser.cdpEndpoint: is not a DevTools endpoint, such as http://localhost:9222 or ws://localhost:9222/….',
    ]);
  });

  test('with --compat playwright, a device cannot be combined with a CDP endpoint', () => {
    const argv = '--device Pixel_10 --cdp-endpoint http://127.0.0.1:9222';
    expect(problems({ argv: `${argv} --compat playwright` })).toEqual([
      '--device: is not supported with browser.cdpEndpoint.',
    ]);
    expect(problems({ argv })).toEqual([]);
  });

  test('the toolset basic alone requires an explicit launch', () => {
    expect(value('launch', { argv: '--toolset basic' })).toBe('explicit');
    expect(value('launch', { argv: '--toolset basic,core' })).toBe('lazy');
    expect(value('launch', { argv: '--toolset basic --launch lazy' })).toBe('lazy');
  });

  test('a log file implies the destination', () => {
    expect(value('logging.destination', { argv: '--log-file a.log' })).toBe('file');
  });

  test('the log does not go to stdout while stdout carries the protocol', () => {
    const stdio = load({ argv: '--log-destination stdout' });
    expect(stdio.config.logging.destination).toBe('stderr');
    expect(stdio.warnings).toEqual(['The log goes to stderr: stdout carries the protocol.']);
    expect(value('logging.destination', { argv: '--log-destination stdout --port 1' })).toBe('stdout');
    expect(value('logging.destination', { argv: '--log-destination stdout --port 1 --stdio' })).toBe('stderr');
  });
});

describe('values in separate files', () => {
  test('a secrets file is read, and secrets of the configuration win', () => {
    const files = { 'config.json': { secrets: { A: 'own' } }, 's.env': 'A=file\nB="two words"\n' };
    expect(value('secrets', { env: { PLAYWRIGHT_MCP_SECRETS_FILE: 's.env' }, files })).toEqual({
      A: 'own',
      B: 'two words',
    });
  });
});

test.each([
  ['PASSWORD', 'does not name a secret and an origin: write NAME@ORIGIN'],
  ['PASWORD@bank.example', 'there is no secret "PASWORD"; the secrets are OTP, PASSWORD'],
  ['PASSWORD@*host', '*host'],
])('the rule %s for a secret stops the start', (rule, problem) => {
  const secrets = 'PASSWORD=x\nOTP=y\n';
  expect(
    problems({ args: ['--secrets=s.env', `--secret-origins=${rule}`], files: { 's.env': secrets } }).join(),
  ).toContain(problem);
});
