import { expect, test } from 'vitest';
import * as z from 'zod';
import { tokenHeader } from '../../src/dashboard/protocol.ts';
import { ensureBuilt } from '../built.ts';
import { CommandLineUser } from './command-line.ts';
import { openSession, person, start, takeControl } from './dashboard-person.ts';

// These wait for time limits, so that only the long run has them.

const page = 'data:text/html,<title>Shop</title><button>Buy</button>';

test('a call waits 20 s for a person, with progress, then fails with HUMAN_IN_CONTROL', async () => {
  await using server = await start();
  const id = await openSession(server, 'ann-key', page);
  const ann = await person(server, { key: 'ann-key' });
  await takeControl(server, ann, id);
  await using client = await server.client({}, 'ann-key');
  const told: unknown[] = [];
  const began = performance.now();
  const result = await client.client.callTool(
    { name: 'browser_click', arguments: { selector: 'button' } },
    { onprogress: ({ message }) => told.push(message), timeout: 60_000 },
  );
  expect(performance.now() - began).toBeGreaterThan(15_000);
  expect(told).toContain('A person is using this page');
  expect(JSON.stringify(result)).toMatch(/HUMAN_IN_CONTROL/);
  expect(JSON.stringify(result)).toMatch(/A person is using this page, for 2\d s now/);
}, 60_000);

test('a person has control in the dashboard of a daemon: commands wait, then exit with 4', async () => {
  await ensureBuilt();
  await using user = new CommandLineUser();
  expect((await user.run(['open', page])).code).toBe(0);
  const printed = await user.run(['show']);
  expect(printed).toMatchObject({ code: 0, stderr: 'The link works once, within ten minutes.\n' });
  const link = new URL(printed.stdout.trim());
  const own = { origin: link.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const post = async (path: string, headers: Readonly<Record<string, string>>, body: object): Promise<Response> =>
    fetch(new URL(path, link), { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) });
  const ticket = new URLSearchParams(link.hash.slice(1)).get('ticket');
  const entered = await post('/dashboard/enter', { [tokenHeader]: '' }, { ticket });
  expect(entered.status).toBe(200);
  expect((await post('/dashboard/enter', { [tokenHeader]: '' }, { ticket })).status).toBe(403);
  const cookie = /^[^;]+/.exec(entered.headers.get('set-cookie') ?? '')?.[0] ?? '';
  const { token } = z.object({ token: z.string() }).parse(await entered.json());
  const visit = { cookie, [tokenHeader]: token };
  const state = await fetch(new URL('/api/v1/state', link), { headers: visit });
  const { sessions } = z.object({ sessions: z.array(z.object({ id: z.string() })) }).parse(await state.json());
  const control = `/api/v1/sessions/${sessions[0]?.id}/control`;
  expect((await post(control, visit, { do: 'take' })).status).toBe(200);
  expect(await user.run(['click', 'e1'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('[HUMAN_IN_CONTROL]'),
  });
  expect((await post(control, visit, { do: 'give', note: 'signed in' })).status).toBe(200);
  expect(await user.run(['click', 'e1'])).toMatchObject({ code: 0, stdout: expect.stringContaining('signed in') });
  const asked = await user.run(['handoff', 'Sign in']);
  expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining(`${link.origin}/dashboard`) });
}, 120_000);

test('a request for a person times out', async () => {
  await using server = await start({ flags: ['--caps=human'] });
  await openSession(server, 'ann-key');
  await using client = await server.client({}, 'ann-key');
  const asked = await client.call('browser_handoff', { reason: 'Sign in', timeout: 10 });
  const { ticket } = Object(asked.structured?.['data']);
  const ended = await client.call('browser_handoff', { ticket, wait: 30 });
  expect(ended.structured?.['data']).toMatchObject({ outcome: 'timed out' });
}, 60_000);
