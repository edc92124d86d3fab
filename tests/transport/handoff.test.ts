import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { eras } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';
import { control, get, openSession, person, start, takeControl } from './dashboard-person.ts';
import type { Person } from './dashboard-person.ts';
import type { HttpClient, TestListener } from './http-listener.ts';

const flags = ['--caps=human'];
const data = ({ structured }: Answer): Readonly<Record<string, unknown>> => Object(structured?.['data']);
const reason = 'Solve the captcha';

/** The person who opens a link. */
async function opens(server: TestListener, link: string): Promise<Person> {
  const hash = new URLSearchParams(new URL(link).hash.slice(1));
  return person(server, { body: { ticket: hash.get('ticket') ?? '' } });
}

interface Asked {
  readonly ticket: string;
  readonly link: string;
}

async function ask(client: HttpClient): Promise<Asked> {
  const { ticket, link } = data(await client.call('browser_handoff', { reason, kind: 'captcha' }));
  return { ticket: String(ticket), link: String(link) };
}

describe('a client without elicitation', () => {
  test('gets a link and a ticket, waits with it, and gets the note', async () => {
    await using server = await start({ flags });
    const id = await openSession(server, 'ann-key');
    await using client = await server.client({}, 'ann-key');
    const { ticket, link } = await ask(client);
    const owner = Buffer.from('key:ann').toString('base64url');
    expect(link).toMatch(new RegExp(`^${server.url.origin}/dashboard#ticket=[\\w-]{43}${owner}&session=${id}$`));
    expect(data(await client.call('browser_handoff', { ticket, wait: 0 }))).toMatchObject({ outcome: 'open', ticket });
    const asked = await opens(server, link);
    expect((await get(server, '/api/v1/state', asked.headers)).text).toContain(`"asked":{"reason":"${reason}"`);
    const waiting = client.call('browser_handoff', { ticket, wait: 30 });
    await takeControl(server, asked, id);
    expect((await control(server, asked, id, { do: 'give', note: 'three cats' })).status).toBe(200);
    const answer = await waiting;
    expect(data(answer)).toEqual({ outcome: 'done', ticket, note: 'three cats' });
    expect(answer.text).toContain('The person\'s answer: done, with the note "three cats"');
    expect((await client.call('browser_snapshot', {})).text).toContain('and wrote: "three cats"');
  });

  test('learns that the person declines or fails', async () => {
    await using server = await start({ flags });
    const id = await openSession(server, 'ann-key');
    await using client = await server.client({}, 'ann-key');
    const first = await ask(client);
    expect((await control(server, await opens(server, first.link), id, { do: 'decline', note: 'busy' })).status).toBe(
      200,
    );
    expect(data(await client.call('browser_handoff', { ticket: first.ticket }))).toMatchObject({
      outcome: 'declined',
      note: 'busy',
    });
    const second = await ask(client);
    const asked = await opens(server, second.link);
    await takeControl(server, asked, id);
    await control(server, asked, id, { do: 'give', failed: true });
    expect(data(await client.call('browser_handoff', { ticket: second.ticket }))).toMatchObject({ outcome: 'failed' });
    const other = await server.client({}, 'bob-key');
    expect((await other.call('browser_handoff', { ticket: second.ticket })).kind).toBe('NO_SUCH_HANDOFF');
    await other[Symbol.asyncDispose]();
  });

  test('the link lets one person in, to one session, without administration', async () => {
    await using server = await start({ flags });
    const id = await openSession(server, 'ann-key');
    await using client = await server.client({}, 'ann-key');
    const { link } = await ask(client);
    await client.call('browser_context_create', { name: 'second' });
    const asked = await opens(server, link);
    const { text } = await get(server, '/api/v1/state', asked.headers);
    const { sessions, scope } = JSON.parse(text);
    expect([scope, sessions.map((session: { id: string }) => session.id)]).toEqual(['control', [id]]);
    expect((await control(server, asked, id, { do: 'revoke' })).status).toBe(403);
    const hash = new URLSearchParams(new URL(link).hash.slice(1));
    const again = await server.send({
      method: 'POST',
      path: '/dashboard/enter',
      key: null,
      headers: { ...asked.headers },
      body: { ticket: hash.get('ticket') ?? '' },
    });
    expect(again.status).toBe(403);
  });
});

describe.each(eras)('a client of $version with URL elicitation', ({ options }) => {
  const able: ClientOptions = { ...options, capabilities: { elicitation: { url: {} } } };

  test('shows the link to its user, and the call waits for the person', async () => {
    await using server = await start({ flags });
    const id = await openSession(server, 'ann-key');
    await using client = await server.client(able, 'ann-key');
    const shown: unknown[] = [];
    client.client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(params.message);
      const asked = await opens(server, String(Object(params).url));
      await takeControl(server, asked, id);
      await control(server, asked, id, { do: 'give', note: 'signed in' });
      return { action: 'accept' };
    });
    const answer = await client.call('browser_handoff', { reason, kind: 'login' });
    expect(shown).toEqual([reason]);
    expect(data(answer)).toMatchObject({ outcome: 'done', note: 'signed in' });
  });

  test('learns that its user declined', async () => {
    await using server = await start({ flags });
    await openSession(server, 'ann-key');
    await using client = await server.client(able, 'ann-key');
    client.client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    expect(data(await client.call('browser_handoff', { reason }))).toMatchObject({ outcome: 'declined' });
  });
});

test('without a dashboard no person can be asked', async () => {
  await using server = await start({ flags });
  await using driver = await server.app.drive();
  await server.dashboard[Symbol.asyncDispose]();
  expect((await driver.callRaw('browser_handoff', { reason })).kind).toBe('NO_DASHBOARD');
});

test('webhook and command get the link', async () => {
  const bodies: string[] = [];
  const hook = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(`${request.url} ${body}`);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  // A server on a port has this kind of address.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  const script = `fetch('${url}/command', { method: 'POST', body: process.env.PAGEHELM_HANDOFF_LINK + process.env.PAGEHELM_HANDOFF_REASON })`;
  const command = `"${process.execPath}" -e "${script}"`;
  try {
    await using server = await start({
      flags: [...flags, `--handoff-webhook=${url}/hook`, `--handoff-command=${command}`],
    });
    await openSession(server, 'ann-key');
    await using client = await server.client({}, 'ann-key');
    const { link } = data(await client.call('browser_handoff', { reason: '$(id) `id`' }));
    await expect.poll(() => bodies.length, { timeout: 15_000 }).toBe(2);
    expect(bodies.toSorted()).toEqual([
      `/command ${String(link)}$(id) \`id\``,
      expect.stringContaining(`"link":${JSON.stringify(link)}`),
    ]);
  } finally {
    hook.closeAllConnections();
    hook.close();
  }
});
