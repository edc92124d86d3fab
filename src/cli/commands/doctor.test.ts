import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fakeMachine, type FakeMachineOptions } from '../../../tests/fake-machine.ts';
import type { Probe } from '../../browser/find/probe.ts';
import type { DoctorContext } from './doctor.ts';
import { runDoctor } from './doctor.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagehelm-doctor-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shell = '/usr/lib/chromium/chromium-headless-shell';
const chromium = '/usr/lib/chromium/chromium';
const starts: Probe = async () => ({ starts: true, version: '156.0', tookMs: 250 });
const fails: Probe = async () => ({ starts: false, reason: 'libnss3.so: cannot open shared object file' });

async function doctor(machine: FakeMachineOptions, context: Partial<DoctorContext> = {}) {
  const lines: string[] = [];
  const code = await runDoctor({
    config: { browser: { type: 'chromium' } },
    env: {},
    cwd: folder,
    stdout: (line) => void lines.push(line),
    stderr: () => {},
    version: '1.2.3',
    nodeVersion: '22.1.0',
    probe: starts,
    machine: fakeMachine({ env: { PATH: '/none' }, shmBytes: 1024 ** 3, ...machine }),
    ...context,
  });
  return { code, text: lines.join('\n').replaceAll(folder, '<cwd>').replaceAll(tmpdir(), '<tmp>') };
}

describe('the report', () => {
  test('of a machine without problems', async () => {
    const config = { browser: { type: 'chromium' as const }, outputDir: '.', screenshotDir: 'shots/today' };
    expect(await doctor({ files: { [shell]: '', [chromium]: '' } }, { config })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "text": "ok    Node.js      22.1.0
      ok    pagehelm     1.2.3
      ok    Browser      /usr/lib/chromium/chromium-headless-shell (headless-shell, system package) starts: version 156.0, 250 ms
      ok    Also found   /usr/lib/chromium/chromium (chromium, system package)
      ok    Mode         headless: there is no display
      ok    Running      as a user, not in a container
      ok    Display      none; only headless mode works
      ok    Sandbox      on
      ok    /dev/shm     1024 MiB
      ok    Output       <cwd> can be written
      ok    Screenshots  <cwd>/shots/today will be created when needed
      ok    Temporary    <tmp> can be written
      ok    Fonts        not checked: fc-list is not installed

      pagehelm works on this machine.",
      }
    `);
  });

  test('of a small container without a browser', async () => {
    const files = { '/.dockerenv': '', '/usr/bin/apt-get': '' };
    expect(await doctor({ uid: 0, shmBytes: 64 * 1024 ** 2, files })).toMatchInlineSnapshot(`
      {
        "code": 1,
        "text": "ok    Node.js    22.1.0
      ok    pagehelm   1.2.3
      FAIL  Browser    no chromium was found that starts
                       fix: pagehelm install-browser, or: apt-get install -y chromium
      ok    Mode       headless: there is no display
      ok    Running    as root, in a container
      ok    Display    none; only headless mode works
      warn  Sandbox    off: the server runs as root
                       fix: run as a non-root user who may create user namespaces, especially for untrusted pages
      warn  /dev/shm   64 MiB
                       fix: large pages may crash: start the container with --shm-size=1g or --ipc=host
      ok    Temporary  <tmp> can be written
      ok    Fonts      not checked: fc-list is not installed

      pagehelm does not work on this machine yet.",
      }
    `);
  });

  test('of a browser that does not start', async () => {
    expect(await doctor({ files: { [chromium]: '' } }, { probe: fails })).toMatchInlineSnapshot(`
      {
        "code": 1,
        "text": "ok    Node.js    22.1.0
      ok    pagehelm   1.2.3
      warn  Browser    /usr/lib/chromium/chromium (chromium, system package) does not start: libnss3.so: cannot open shared object file
                       fix: npx playwright install-deps chromium installs libraries that may be missing
      FAIL  Browser    no chromium was found that starts
                       fix: pagehelm install-browser, or: npx playwright install --with-deps chromium-headless-shell
      ok    Mode       headless: there is no display
      ok    Running    as a user, not in a container
      ok    Display    none; only headless mode works
      ok    Sandbox    on
      ok    /dev/shm   1024 MiB
      ok    Temporary  <tmp> can be written
      ok    Fonts      not checked: fc-list is not installed

      pagehelm does not work on this machine yet.",
      }
    `);
  });

  test('names the next browser when the first does not start', async () => {
    const probe: Probe = async (found, headless) => (found.executablePath === shell ? fails : starts)(found, headless);
    const { code, text } = await doctor({ files: { [shell]: '', [chromium]: '' } }, { probe });
    expect(code).toBe(0);
    expect(text.split('\n').filter((line) => line.includes('Browser'))).toEqual([
      `warn  Browser    ${shell} (headless-shell, system package) does not start: libnss3.so: cannot open shared object file`,
      `ok    Browser    ${chromium} (chromium, system package) starts: version 156.0, 250 ms`,
    ]);
  });

  test('as JSON', async () => {
    const { code, text } = await doctor({}, { json: true });
    expect(code).toBe(1);
    expect(JSON.parse(text)).toMatchObject({
      usable: false,
      findings: expect.arrayContaining([
        {
          status: 'FAIL',
          topic: 'Browser',
          text: 'no chromium was found that starts',
          advice: 'pagehelm install-browser, or: npx playwright install --with-deps chromium-headless-shell',
        },
      ]),
    });
  });
});

describe('problems that prevent use', () => {
  test.each([
    ['18.20.0', 1],
    ['20.18.3', 1],
    ['20.19.0', 0],
    ['24.0.0', 0],
  ])('Node.js %s: exit code %i', async (nodeVersion, code) => {
    expect((await doctor({ files: { [shell]: '' } }, { nodeVersion })).code).toBe(code);
  });

  test('a missing configured path', async () => {
    const config = { browser: { type: 'chromium' as const, executablePath: '/opt/gone' } };
    const { code, text } = await doctor({ files: { [shell]: '' } }, { config });
    expect(code).toBe(1);
    expect(text).toContain('FAIL  Browser    the configured browser /opt/gone cannot be used');
  });
});

test('an unusable output folder is a warning', async () => {
  writeFileSync(join(folder, 'file'), '');
  const config = { browser: { type: 'chromium' as const }, outputDir: 'file/inside' };
  const { code, text } = await doctor({ files: { [shell]: '' } }, { config });
  expect(code).toBe(0);
  expect(text).toContain('warn  Output     <cwd>/file/inside cannot be written');
});
