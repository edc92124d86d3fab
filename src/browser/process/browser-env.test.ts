import { expect, test } from 'vitest';
import { browserEnvironment } from './browser-env.ts';

test('a browser is given what it needs, and nothing that it does not', () => {
  const needed = {
    PATH: '/usr/bin',
    HOME: '/home/ada',
    LC_ALL: 'C',
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

test('an operator can give it more, with the launch options', () => {
  expect(browserEnvironment({ PATH: '/bin' }, { PATH: '/opt', GOOGLE_API_KEY: 'no', COUNT: 1, BAD: {} })).toEqual({
    PATH: '/opt',
    GOOGLE_API_KEY: 'no',
    COUNT: '1',
  });
});
