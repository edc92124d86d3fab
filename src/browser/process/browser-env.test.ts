import { expect, test } from 'vitest';
import { browserEnvironment } from './browser-env.ts';

test('a browser gets the variables it needs and no others', () => {
  const needed = {
    PATH: '/usr/bin',
    HOME: '/home/ada',
    LC_ALL: 'de_DE.UTF-8',
    DISPLAY: ':0',
    XDG_RUNTIME_DIR: '/run/user/1',
    http_proxy: 'http://proxy',
    SystemRoot: 'C:\\Windows',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    container: 'podman',
  };
  const others = {
    OPENAI_API_KEY: 'k',
    AWS_SECRET_ACCESS_KEY: 'k',
    GITHUB_TOKEN: 'k',
    PAGEHELM_API_KEY: 'k',
    PLAYWRIGHT_MCP_SECRETS_FILE: 'k',
    NODE_OPTIONS: '--inspect',
    MYPATH: 'k',
    PATH_TO_KEY: 'k',
    UNSET: undefined,
  };
  expect(browserEnvironment({ ...needed, ...others }, undefined)).toEqual(needed);
});

test('the launch options add variables', () => {
  expect(
    browserEnvironment({ PATH: '/bin', LANG: 'C.utf8' }, { PATH: '/opt', GOOGLE_API_KEY: 'no', COUNT: 1, BAD: {} }),
  ).toEqual({
    PATH: '/opt',
    LANG: 'C.utf8',
    GOOGLE_API_KEY: 'no',
    COUNT: '1',
  });
});

test.runIf(process.platform === 'linux').each([
  [{}, { LC_CTYPE: 'C.UTF-8' }],
  [{ LANG: 'C' }, { LANG: 'C', LC_CTYPE: 'C.UTF-8' }],
  [
    { LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' },
    { LC_ALL: 'C.UTF-8', LANG: 'de_DE.UTF-8' },
  ],
  [
    { LC_CTYPE: 'en_US.utf8', LANG: 'C' },
    { LC_CTYPE: 'en_US.utf8', LANG: 'C' },
  ],
])('a locale without UTF-8 gets it: %j', (given, expected) => {
  expect(browserEnvironment(given, undefined)).toEqual(expected);
});
