import { expect, test } from 'vitest';
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

test('a request for a person times out', async () => {
  await using server = await start({ flags: ['--caps=human'] });
  await openSession(server, 'ann-key');
  await using client = await server.client({}, 'ann-key');
  const asked = await client.call('browser_handoff', { reason: 'Sign in', timeout: 10 });
  const { ticket } = Object(asked.structured?.['data']);
  const ended = await client.call('browser_handoff', { ticket, wait: 30 });
  expect(ended.structured?.['data']).toMatchObject({ outcome: 'timed out' });
}, 60_000);
