import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { loadConfig } from '../load.ts';
import type { LoadedConfig } from '../load.ts';

function loadText(text: string, name = 'config.json'): LoadedConfig {
  return loadConfig({ argv: ['--config', name], env: {}, cwd: '/project', readFile: () => text });
}

function loadFile(content: unknown): LoadedConfig {
  return loadText(JSON.stringify(content));
}

function problems(text: string, name?: string): readonly string[] {
  try {
    loadText(text, name);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** The example configuration of the full design, as it stands there. */
const designExample = `{
  "name": "playwright-mcp-server",
  "version": "1.0.0",
  "transport": "stdio",

  "browser": {
    "type": "chromium",
    "headless": true,
    "args": [
      "--no-sandbox",
      "--disable-dev-shm-usage"
    ]
  },

  "pool": {
    "minBrowsers": 2,
    "maxBrowsers": 10,
    "idleTimeout": 300000
  },

  "session": {
    "defaultTimeout": 30000,
    "maxSessions": 50,
    "persistentSessions": false
  },

  "security": {
    "allowedDomains": ["*.example.com"],
    "maxScreenshotSize": 10485760,
    "enableFileUpload": true,
    "enableScriptEvaluation": false
  },

  "logging": {
    "level": "info",
    "format": "json",
    "destination": "stdout"
  }
}`;

/** Every key of the configuration file of `@playwright/mcp`. */
const peerExample = {
  browser: {
    browserName: 'firefox',
    isolated: true,
    userDataDir: '/profile',
    launchOptions: {
      headless: true,
      args: ['--a'],
      executablePath: '/bin/firefox',
      channel: 'moz-firefox',
      chromiumSandbox: false,
      proxy: { server: 'http://proxy:3128', bypass: '.com', username: 'u', password: 'p' },
      slowMo: 50,
    },
    contextOptions: {
      viewport: { width: 800, height: 600 },
      userAgent: 'ua',
      ignoreHTTPSErrors: true,
      permissions: ['geolocation'],
      storageState: 'state.json',
      locale: 'de-DE',
    },
    cdpEndpoint: 'http://localhost:9222',
    cdpHeaders: { A: 'b' },
    cdpTimeout: 0,
    remoteEndpoint: { endpoint: 'ws://localhost:1', headers: { C: 'd' } },
    initPage: ['page.ts'],
    initScript: ['script.js'],
  },
  extension: false,
  server: { port: 8931, host: '0.0.0.0', allowedHosts: ['*'] },
  capabilities: ['core', 'pdf', 'vision', 'devtools'],
  saveSession: true,
  webmcp: false,
  sharedBrowserContext: true,
  secrets: { TOKEN: 'x' },
  outputDir: 'out',
  outputMaxSize: 1000,
  console: { level: 'warning' },
  network: { allowedOrigins: [], blockedOrigins: [] },
  testIdAttribute: 'data-test',
  timeouts: { action: 1, navigation: 2, expect: 3, settle: 4, idle: 5 },
  imageResponses: 'only',
  filePaths: 'absolute',
  snapshot: { mode: 'none', boxes: true },
  allowUnrestrictedFileAccess: true,
  codegen: 'python',
};

describe('files of both kinds', () => {
  test('the example configuration of the full design is accepted unchanged', () => {
    const { config } = loadText(designExample);
    expect(config).toMatchObject({
      name: 'playwright-mcp-server',
      version: '1.0.0',
      transport: 'stdio',
      browser: { type: 'chromium', headless: true, args: ['--no-sandbox', '--disable-dev-shm-usage'] },
      pool: { minBrowsers: 2, maxBrowsers: 10, idleTimeout: 300_000 },
      session: { defaultTimeout: 30_000, maxSessions: 50, persistentSessions: false },
      security: {
        allowedDomains: ['*.example.com'],
        maxScreenshotSize: 10_485_760,
        enableFileUpload: true,
        enableScriptEvaluation: false,
      },
      logging: { level: 'info', format: 'json', destination: 'stderr' },
    });
  });

  test('the last warning of that file says where the log goes', () => {
    expect(loadText(designExample).warnings.at(-1)).toBe('The log goes to stderr: stdout carries the protocol.');
  });

  test('a file with every key of @playwright/mcp is accepted', () => {
    const { config, warnings } = loadFile(peerExample);
    expect(config.browser).toMatchObject({
      type: 'firefox',
      channel: 'moz-firefox',
      headless: true,
      executablePath: '/bin/firefox',
      args: ['--a'],
      sandbox: false,
      isolated: true,
      userDataDir: '/profile',
      proxy: { server: 'http://proxy:3128', bypass: '.com', username: 'u', password: 'p' },
      viewport: { width: 800, height: 600 },
      userAgent: 'ua',
      ignoreHttpsErrors: true,
      grantPermissions: ['geolocation'],
      storageState: 'state.json',
      cdpEndpoint: ['http://localhost:9222'],
      cdpHeaders: { A: 'b' },
      cdpTimeout: 0,
      remoteEndpoint: 'ws://localhost:1',
      remoteHeaders: { C: 'd' },
      initPage: ['/project/page.ts'],
      initScript: ['/project/script.js'],
    });
    const { browser: _browser, ...rest } = peerExample;
    expect(config).toMatchObject(rest);
    expect(warnings.filter((warning) => !/ (?:has no effect|is not offered)/.test(warning))).toEqual([]);
  });

  test('Playwright options with an own option are moved there', () => {
    const { launchOptions, contextOptions } = loadFile(peerExample).config.browser;
    expect([launchOptions, contextOptions]).toEqual([{ slowMo: 50 }, { locale: 'de-DE' }]);
  });

  test('forms that only Playwright supports stay in its options', () => {
    const contextOptions = { viewport: null, storageState: { cookies: [], origins: [] } };
    const { browser } = loadFile({ browser: { contextOptions } }).config;
    expect(browser.contextOptions).toEqual(contextOptions);
    expect([browser.viewport, browser.storageState]).toEqual([undefined, undefined]);
  });

  test('a wrong value in Playwright’s options is named by its key there', () => {
    expect(problems('{"browser":{"launchOptions":{"headless":"yes"}}}')).toEqual([
      'config.json: browser.launchOptions.headless: expected true or false, got "yes".',
    ]);
  });

  test('$schema is accepted', () => {
    expect(loadFile({ $schema: './config.schema.json', name: 'x' }).config.name).toBe('x');
  });

  test('a byte order mark is ignored', () => {
    expect(loadText('\uFEFF{"name":"x"}').config.name).toBe('x');
  });
});

describe('two keys for one thing', () => {
  test.each([
    [{ port: 1, server: { port: 2 } }, 'server.port', 'port'],
    [
      { browser: { headless: true, launchOptions: { headless: false } } },
      'browser.launchOptions.headless',
      'browser.headless',
    ],
    [{ browser: { type: 'webkit', browserName: 'firefox' } }, 'browser.type', 'browser.browserName'],
    [{ browser: { args: ['--a'], launchOptions: { args: ['--b'] } } }, 'browser.launchOptions.args', 'browser.args'],
  ])('in %j the more specific one is used and a warning says so', (content, used, unused) => {
    const [warning] = loadFile(content).warnings;
    expect(warning).toMatch(
      new RegExp(`^config\\.json: ${used} and ${unused} differ \\(.+ and .+\\); ${used} is used\\.$`),
    );
  });

  test('the values of the used keys apply', () => {
    const { config } = loadFile({
      port: 1,
      server: { port: 2 },
      browser: { type: 'webkit', browserName: 'firefox', headless: true, launchOptions: { headless: false } },
    });
    expect([config.server.port, config.browser.type, config.browser.headless]).toEqual([2, 'webkit', false]);
  });

  test('two keys that agree are not a warning', () => {
    expect(loadFile({ browser: { headless: true, launchOptions: { headless: true } } }).warnings).toEqual([]);
  });

  test('a difference between passwords is reported without them', () => {
    const proxy = (password: string): object => ({ server: 'http://p', password });
    const { warnings } = loadFile({ browser: { proxy: proxy('aaa'), launchOptions: { proxy: proxy('bbb') } } });
    expect(warnings).toEqual([
      'config.json: browser.launchOptions.proxy.password and browser.proxy.password differ; browser.launchOptions.proxy.password is used.',
    ]);
  });
});

describe('wrong files', () => {
  test.each([
    ['{"browser":{"headles":true}}', 'unknown key browser.headles (did you mean browser.headless?)'],
    ['{"brwser":{}}', 'unknown key brwser (did you mean browser?)'],
    ['{"headless":true}', 'unknown key headless (did you mean browser.headless?)'],
    ['{"viewportSize":"1x1"}', 'unknown key viewportSize (did you mean browser.viewport?)'],
    ['{"browser":{"browsername":"x"}}', 'unknown key browser.browsername (did you mean browser.browserName?)'],
    ['{"qqqqqqqqqqqq":1}', 'unknown key qqqqqqqqqqqq'],
    ['{"__proto__":{"name":"x"}}', 'unknown key __proto__'],
    ['{"configFile":"x"}', 'unknown key configFile'],
    ['{"browser":"chromium"}', 'browser: expected an object, got "chromium".'],
    ['{"browser":{"headless":"yes"}}', 'browser.headless: expected true or false, got "yes".'],
    ['{"browser":{"type":"chrome"}}', 'browser.type: expected one of chromium, firefox, webkit, got "chrome".'],
    ['{"browser":{"args":"--a"}}', 'browser.args: expected a list of strings, got "--a".'],
    ['{"browser":{"launchOptions":[]}}', 'browser.launchOptions: expected an object, got [].'],
    ['{"session":{"maxSessions":null}}', 'session.maxSessions: expected a whole number, at least 1, got null.'],
    ['[1]', 'expected an object, got [1].'],
    ['{\n  "name": "x",\n}', 'not valid JSON at line 3, column 1, near "}".'],
    ['{\n  "name": tru\n}', 'not valid JSON at line 2, column 11, near "tru".'],
    ['{"name": "x"', 'not valid JSON at line 1, column 13, near its end.'],
    ['', 'not valid JSON at line 1, column 1, near its end.'],
    ['{"name": "x"} extra', 'not valid JSON at line 1, column 15, near "extra".'],
    ["{'name': 1}", `not valid JSON at line 1, column 2, near "'name': 1}".`],
    ['{"a": [1, 2', 'not valid JSON at line 1, column 12, near its end.'],
    ['{"a" 1}', 'not valid JSON at line 1, column 6, near "1}".'],
    ['{"a": 01}', 'not valid JSON at line 1, column 8, near "1}".'],
  ])('the text %j is rejected with its reason', (text, problem) => {
    expect(problems(text)).toEqual([`config.json: ${problem}`]);
  });
});

describe('INI files', () => {
  test('sections, dotted keys, lists and comments are parsed', () => {
    const text = [
      '; a comment',
      'outputDir = out',
      'server.port = 8931',
      'capabilities = pdf,vision',
      '[browser]',
      'browserName = "firefox"',
      'initScript[] = a.js',
      'initScript[] = b.js',
      'launchOptions.headless = true',
      'launchOptions.slowMo = 50',
      'contextOptions.viewport = 800x600',
    ].join('\r\n');
    const { config } = loadText(text, 'config.ini');
    expect(config).toMatchObject({
      outputDir: 'out',
      server: { port: 8931 },
      capabilities: ['pdf', 'vision'],
      browser: {
        type: 'firefox',
        initScript: ['/project/a.js', '/project/b.js'],
        headless: true,
        launchOptions: { slowMo: 50 },
        viewport: { width: 800, height: 600 },
      },
    });
  });

  test.each([
    ['config', '; a comment\n\n  outputDir = out\n'],
    ['config.conf', '\uFEFF[browser]\nisolated = true\n'],
    ['config.json', '# a comment\r\ncapabilities[] = pdf\r\n'],
  ])('INI text is recognised in a file called %s', (name, text) => {
    expect(problems(text, name)).toEqual([]);
  });

  test('invalid lines and unknown keys are reported', () => {
    expect(problems('nonsense\nbrowser.headles = true\n', 'config.ini')).toEqual([
      'config.ini: line 1: expected "key = value", got "nonsense".',
      'config.ini: unknown key browser.headles (did you mean browser.headless?)',
    ]);
  });
});
