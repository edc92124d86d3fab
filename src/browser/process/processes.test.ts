import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  carries,
  findGroups,
  identityOf,
  isRunning,
  killGroups,
  listProcesses,
  parseIdentity,
  parsePs,
  parseStat,
} from './processes.ts';

const stat = (state: string, name = 'sh'): string =>
  `42 (${name}) ${state} 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 999 1 18446744073709551615 1 1 0`;

describe('reading processes', () => {
  test('a line of /proc is read from its last parenthesis', () => {
    const expected = { pid: 42, ppid: 7, group: 40, session: 39, startTime: 123_456 };
    expect(parseStat(stat('S'))).toEqual(expected);
    expect(parseStat(stat('S', 'a) R 1 (b'))).toEqual(expected);
  });

  test('zombies and invalid lines are ignored', () => {
    expect(parseStat(stat('Z'))).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
    expect(parseStat('what is this')).toBeUndefined();
  });

  test('the output of ps is parsed', () => {
    const text =
      ' 501     1   501 Sat Nov 15 05:51:07 2025     /Applications/B --user-data-dir=/tmp/x\n  7 1 7 Mon Jan  5 01:02:03 2026 (b)\n';
    expect(parsePs(text)).toEqual([
      {
        pid: 501,
        ppid: 1,
        group: 501,
        session: 501,
        startTime: Date.parse('Sat Nov 15 05:51:07 2025') / 10,
        command: '/Applications/B --user-data-dir=/tmp/x',
      },
    ]);
  });
});

describe('finding groups', () => {
  const leader = { pid: 50, ppid: 1, group: 50, session: 50, startTime: 1000, command: 'browser' };
  const member = { pid: 51, ppid: 50, group: 50, session: 50, startTime: 1010, command: 'zygote' };
  const search = { folder: '/tmp/run', owned: [{ pid: 50, startTime: 1000 }], windowTicks: 100 };

  test('a group is found by its leader, or by a member that started with it', () => {
    expect(findGroups([leader, member], search)).toEqual([50]);
    expect(findGroups([member], search)).toEqual([50]);
  });

  test('a reused pid is not found', () => {
    expect(findGroups([{ ...leader, startTime: 5000 }], search)).toEqual([]);
    expect(findGroups([{ ...leader, startTime: 500 }], search)).toEqual([]);
    expect(findGroups([member], { ...search, windowTicks: 0 })).toEqual([]);
  });

  test('a process with the run folder in its command is found; the own group and group 1 never are', () => {
    const stray = { ...leader, pid: 60, group: 60, session: 60, startTime: 9, command: 'handler /tmp/run/x' };
    expect(findGroups([stray], search)).toEqual([60]);
    expect(findGroups([stray], { ...search, except: 60 })).toEqual([]);
    expect(findGroups([{ ...stray, group: 1 }], search)).toEqual([]);
  });
});

test.runIf(process.platform === 'linux')(
  'a real process is listed with its run folder and killed with its group',
  async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 60; true'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, PAGEHELM_RUN: '/tmp/no-such-run' },
    });
    const entry = listProcesses().find(({ pid }) => pid === child.pid);
    expect(entry).toMatchObject({ ppid: process.pid, group: child.pid, session: child.pid });
    expect(entry !== undefined && carries(entry, '/tmp/no-such-run')).toBe(true);
    expect(entry !== undefined && carries(entry, '/tmp/no-such')).toBe(false);
    killGroups([child.pid ?? 0]);
    await once(child, 'exit');
    killGroups([child.pid ?? 0]);
    expect(listProcesses().some(({ pid }) => pid === child.pid)).toBe(false);
  },
);

describe('process identity', () => {
  const self = identityOf(process.pid);

  test('a running process is recognised, also after its identity was saved as JSON', () => {
    expect(isRunning(self)).toBe(true);
    expect(parseIdentity(JSON.parse(JSON.stringify(self)))).toEqual(self);
  });

  test('a reused pid, another boot and a pid that does not exist are not the process', () => {
    expect(isRunning({ ...self, startTime: self.startTime - 1 })).toBe(false);
    expect(isRunning({ ...self, boot: 'another' })).toBe(false);
    expect(isRunning({ ...self, pid: 2 ** 30 })).toBe(false);
    expect(isRunning({ ...self, pid: 0 })).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'a zombie does not run',
    async () => {
      // The shell is replaced by a program that never waits for its child, so the child stays a zombie.
      const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec tail -f /dev/null'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [line] = await once(parent.stdout, 'data');
        const pid = Number(String(line));
        const statOfChild = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
        // On a busy machine, the child may take seconds to start.
        await expect.poll(statOfChild, { timeout: 20_000 }).toContain(') Z ');
        const startTime = Number(statOfChild().split(') ')[1]?.split(' ')[19]);
        expect(isRunning({ ...self, pid, startTime })).toBe(false);
      } finally {
        parent.kill('SIGKILL');
      }
    },
    30_000,
  );
});
