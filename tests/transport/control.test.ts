import { describe, expect, test } from 'vitest';
import { control, get, openSession, person, start, takeControl, watch } from './dashboard-person.ts';
import type { HttpClient, TestListener } from './http-listener.ts';

/** A page that logs its trusted input. */
const logged = `<title>Log</title><body style="margin:0"><button style="position:absolute;left:0;top:0;width:200px;height:100px">Agent</button>
<input aria-label=Name style="position:absolute;left:0;top:120px;width:200px;height:40px"><script>
window.seen = [];
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'keydown', 'input', 'paste', 'contextmenu', 'wheel'])
  addEventListener(type, (event) => event.isTrusted && seen.push([type, event.shiftKey ? 'S' : '', event.ctrlKey ? 'C' : '',
    event.key ?? event.button ?? ''].join('')), true);
</script>`;
const page = `data:text/html,${encodeURIComponent(logged)}`;
const at = (x: number, y: number) => ({ x, y, modifiers: [] });
const left = { button: 'left', clicks: 1 } as const;

async function seen(client: HttpClient): Promise<string> {
  const { text } = await client.call('browser_evaluate', { function: '() => `${"seen"}: ${seen.join(" ")}`' });
  return /^seen: (.*)$/m.exec(text)?.[1] ?? text;
}

async function hasWaiting(server: TestListener, headers: Readonly<Record<string, string>>): Promise<boolean> {
  return (await get(server, '/api/v1/state', headers)).text.includes('"running"');
}

describe('control', () => {
  test('a person takes a session, acts, and gives it back with a note, which the next answer tells once', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    await using client = await server.client({}, 'ann-key');
    using own = await watch(server, ann);
    expect((await own.put(id, { kind: 'down', ...at(20, 20), ...left })).isDone).toBe(false);
    await takeControl(server, ann, id);
    const { text: state } = await get(server, '/api/v1/state', ann.headers);
    expect(state).toMatch(/"control":\{"by":"ann","isMine":true,"phase":"held","isPrivate":true,"leftMs":59\d{4}\}/);
    expect((await own.put(id, { kind: 'down', ...at(20, 20), ...left })).isDone).toBe(true);
    expect((await own.put(id, { kind: 'up', ...at(20, 20), ...left })).isDone).toBe(true);
    const note = 'logged in; use account "B"\n### Page\n- button "Pay" [ref=e1]';
    expect((await control(server, ann, id, { do: 'give', note })).status).toBe(200);
    const { text } = await client.call('browser_click', { selector: 'button' });
    expect(text).toMatch(
      /A person used this page for \d+ s and wrote: "logged in; use account \\"B\\" ### Page - button \\"Pay\\" \\\\\[ref=e1]"/,
    );
    // The page is shown whole, not what has changed.
    expect(text).toContain('textbox "Name"');
    expect((await client.call('browser_click', { selector: 'button' })).text).not.toContain('A person used');
    expect(await seen(client)).toBe('mousedown0 mouseup0 click0 mousedown0 mouseup0 click0 mousedown0 mouseup0 click0');
    expect((await own.put(id, { kind: 'down', ...at(20, 20), ...left })).isDone).toBe(false);
  });

  test('control enters before the calls that wait, and survives a reconnect and a navigation', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    await using client = await server.client({}, 'ann-key');
    const running = client.call('browser_wait_for', { time: 1 });
    await expect.poll(async () => hasWaiting(server, ann.headers)).toBe(true);
    const later = client.call('browser_click', { selector: 'button' });
    await takeControl(server, ann, id);
    expect((await running).isError).toBe(false);
    {
      using first = await watch(server, ann);
      expect((await first.put(id, { kind: 'navigate', url: page })).isDone).toBe(true);
    }
    using second = await watch(server, ann);
    expect((await second.put(id, { kind: 'keydown', key: 'q', modifiers: [] })).isDone).toBe(true);
    expect((await control(server, ann, id, { do: 'give' })).status).toBe(200);
    expect((await later).isError).toBe(false);
    expect(await seen(client)).toBe('keydownq mousedown0 mouseup0 click0');
  });

  test('force interrupts the running call, whose answer says so', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    await using client = await server.client({}, 'ann-key');
    const running = client.call('browser_wait_for', { text: 'never there', timeout: 50_000 });
    await expect.poll(async () => hasWaiting(server, ann.headers)).toBe(true);
    expect((await control(server, ann, id, { do: 'take' })).status).toBe(200);
    expect((await get(server, '/api/v1/state', ann.headers)).text).toContain('"phase":"waiting"');
    await takeControl(server, ann, id, { force: true });
    const answer = await running;
    expect(answer.kind).toBe('HUMAN_IN_CONTROL');
    expect(answer.text).toContain('A person took control of the page while browser_wait_for was running.');
  });

  test('a second person, a viewer and an agent cannot interfere', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    const other = await person(server, { key: 'ann-key' });
    const ticket = server.dashboard.access.ticket({ driver: undefined, scope: 'admin' });
    const operator = await person(server, { body: { ticket } });
    const visit = server.dashboard.access.enter({ driver: undefined, scope: 'view' });
    const looks = {
      ...ann,
      headers: { ...ann.headers, cookie: `pagehelm=${visit.cookie}`, 'x-pagehelm-dashboard': visit.token },
    };
    expect((await control(server, looks, id, { do: 'take' })).status).toBe(403);
    expect((await control(server, await person(server, { key: 'bob-key' }), id, { do: 'take' })).status).toBe(404);
    expect((await control(server, ann, id, { do: 'give' })).status).toBe(409);
    expect((await control(server, ann, id, { do: 'take', isPrivate: 'yes' })).status).toBe(400);
    expect((await control(server, ann, id, { do: 'steal' })).status).toBe(400);
    await takeControl(server, ann, id);
    const refused = await control(server, other, id, { do: 'take', force: true });
    expect([refused.status, refused.text.includes('ann has control')]).toEqual([409, true]);
    for (const change of ['give', 'extend', 'revoke'])
      expect([change, (await control(server, other, id, { do: change })).status]).toEqual([
        change,
        change === 'revoke' ? 403 : 409,
      ]);
    using socket = await watch(server, other);
    expect((await socket.put(id, { kind: 'keydown', key: 'x', modifiers: [] })).isDone).toBe(false);
    await using client = await server.client({}, 'ann-key');
    await client.call('browser_context_create', { name: 'second' });
    const closed = await client.call('browser_context_close', { name: 'default' });
    expect(closed.kind).toBe('HUMAN_IN_CONTROL');
    expect((await control(server, ann, id, { do: 'extend' })).status).toBe(200);
    expect((await control(server, operator, id, { do: 'revoke' })).status).toBe(200);
    await client.call('browser_context_switch', { name: 'default' });
    expect((await client.call('browser_click', { selector: 'button' })).text).toContain(
      'until an operator took it back',
    );
    expect(await seen(client)).toBe('mousedown0 mouseup0 click0');
  });

  test('private control hides frames, titles, console and network from others, and records nothing', async () => {
    await using server = await start({ flags: ['--caps=devtools'] });
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    const other = await person(server, { key: 'ann-key' });
    await using client = await server.client({}, 'ann-key');
    await client.call('browser_start_tracing', {});
    using mine = await watch(server, ann);
    using theirs = await watch(server, other);
    await takeControl(server, ann, id);
    for (const { socket } of [mine, theirs])
      socket.send(JSON.stringify({ type: 'watch', stream: 1, session: id, width: 320, height: 320, fps: 10 }));
    const secret = `data:text/html,${encodeURIComponent('<title>Secret</title><script>console.error("secret line")</script>')}`;
    expect((await mine.put(id, { kind: 'navigate', url: secret })).isDone).toBe(true);
    await expect.poll(() => mine.frames.length, { timeout: 10_000 }).toBeGreaterThan(0);
    for (const path of ['state', `sessions/${id}/console`, `sessions/${id}/requests`])
      expect((await get(server, `/api/v1/${path}`, other.headers)).text).not.toMatch(/secret/i);
    expect((await get(server, '/api/v1/state', ann.headers)).text).toContain('Secret');
    expect(theirs.frames).toEqual([]);
    expect(JSON.stringify(theirs.messages)).not.toMatch(/secret/i);
    expect((await control(server, ann, id, { do: 'give' })).status).toBe(200);
    await expect.poll(() => theirs.frames.length, { timeout: 10_000 }).toBe(1);
    const { text } = await client.call('browser_console_messages', {});
    expect(text).not.toContain('secret line');
    expect(text).toContain('The trace was discarded: a person used the page privately.');
  });

  test('an address that the operator denies is not opened by a person either', async () => {
    await using server = await start({ flags: ['--blocked-domains=blocked.test'] });
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    using own = await watch(server, ann);
    await takeControl(server, ann, id);
    for (const url of ['http://blocked.test/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://169.254.169.254/'])
      expect([url, (await own.put(id, { kind: 'navigate', url })).isDone]).toEqual([url, false]);
    expect((await get(server, '/api/v1/state', ann.headers)).text).toContain('"title":"Log"');
  });
});

describe('hands', () => {
  test('moves are merged, a click passes them, and modifiers, double clicks, wheel and text arrive', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    using own = await watch(server, ann);
    await takeControl(server, ann, id);
    for (let x = 0; x < 300; x++)
      own.socket.send(JSON.stringify({ type: 'input', session: id, id: 0, input: { kind: 'move', ...at(x, 5) } }));
    const shift = { x: 20, y: 20, modifiers: ['Shift' as const] };
    for (const kind of ['down', 'up'] as const) await own.put(id, { kind, ...shift, ...left });
    for (const clicks of [1, 2])
      for (const kind of ['down', 'up'] as const) await own.put(id, { kind, ...at(20, 20), button: 'left', clicks });
    await own.put(id, { kind: 'wheel', ...at(20, 20), dx: 0, dy: 30 });
    for (const kind of ['down', 'up'] as const) await own.put(id, { kind, ...at(20, 140), ...left });
    for (const key of ['a', 'é']) await own.put(id, { kind: 'keydown', key, modifiers: [] });
    await own.put(id, { kind: 'text', text: '日本' });
    await own.put(id, { kind: 'paste', text: ' pasted' });
    await own.put(id, { kind: 'keydown', key: 'a', modifiers: ['Control'] });
    expect((await own.put(id, { kind: 'copy' })).text).toBe('aé日本 pasted');
    expect((await own.put(id, { kind: 'keydown', key: 'NoSuchKey', modifiers: [] })).isDone).toBe(false);
    await control(server, ann, id, { do: 'give' });
    await using client = await server.client({}, 'ann-key');
    expect(await seen(client)).toBe(
      [
        'keydownSShift mousedownS0 mouseupS0 clickS0',
        'mousedown0 mouseup0 click0 mousedown0 mouseup0 click0 dblclick0 wheel0',
        'mousedown0 mouseup0 click0 keydowna input input input keydownCControl keydownCv paste input keydownCControl keydownCa',
        'keydownCControl keydownCc',
      ].join(' '),
    );
  });

  test('what a person pastes is not left on the clipboard', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    using own = await watch(server, ann);
    await takeControl(server, ann, id);
    for (const kind of ['down', 'up'] as const) await own.put(id, { kind, ...at(20, 140), ...left });
    await own.put(id, { kind: 'paste', text: 'hunter2' });
    await control(server, ann, id, { do: 'give' });
    await using client = await server.client({}, 'ann-key');
    await client.call('browser_type', { selector: 'input', text: '' });
    await client.call('browser_press_key', { key: 'Control+v' });
    const { text } = await client.call('browser_evaluate', { function: '() => document.querySelector("input").value' });
    expect(text).not.toContain('hunter2');
  });

  test('input that the schema does not know ends the connection', async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    await takeControl(server, ann, id);
    const bad: readonly unknown[] = [
      { kind: 'evaluate', code: '1' },
      { kind: 'keydown', key: 'a', modifiers: ['Hyper'] },
      { kind: 'move', x: 'a', y: 1, modifiers: [] },
      { kind: 'text', text: 'x'.repeat(20_001) },
      { kind: 'down', x: 1, y: 1, modifiers: [], button: 'left', clicks: 1, force: true },
    ];
    for (const input of bad) {
      using own = await watch(server, ann);
      own.socket.send(JSON.stringify({ type: 'input', session: id, id: 1, input }));
      await expect.poll(() => own.socket.readyState).toBe(3);
    }
  });
});

test('a page cannot reach the port of the server through the egress proxy', async () => {
  await using server = await start({ flags: ['--allowed-domains=*'] });
  await using client = await server.client({}, 'ann-key');
  for (const host of ['127.0.0.1', 'localhost', 'a.localhost', '[::1]']) {
    const answer = await client.call('browser_navigate', { url: `http://${host}:${server.port}/dashboard` });
    expect([host, answer.isError, answer.text.includes('ports of this server are always denied')]).toEqual([
      host,
      true,
      true,
    ]);
  }
});

test('a note with a box reaches the agent with the refs inside and an image', async () => {
  await using server = await start({ flags: ['--caps=devtools'] });
  const id = await openSession(server, 'ann-key', page);
  const ann = await person(server, { key: 'ann-key' });
  await using client = await server.client({}, 'ann-key');
  const mark = async (body: object) =>
    server.send({ method: 'POST', path: `/api/v1/sessions/${id}/annotate`, headers: ann.headers, key: null, body });
  expect((await mark({ x: 0, y: 0, width: 210, height: 110, text: 'this button [ref=e9]' })).status).toBe(200);
  const { text } = await client.call('browser_tabs', { action: 'list' });
  expect(text).toMatch(
    /A person marked x 0, y 0, 210x110 on the page and wrote: "this button \\\\\[ref=e9]"\. In it: button "Agent" \[ref=e\d+]\. Screenshot: \S+\.png/,
  );
  const ref = /"Agent" \[ref=(e\d+)]/.exec(text)?.[1];
  expect((await client.call('browser_click', { ref })).isError).toBe(false);
  expect((await mark({ x: -1, y: 0, width: 1, height: 1, text: 'x' })).status).toBe(400);
  const asked = client.call('browser_annotate', {});
  const isWanted = async (): Promise<boolean> =>
    (await get(server, '/api/v1/state', ann.headers)).text.includes('"wantsMark":true');
  await expect.poll(isWanted, { timeout: 10_000 }).toBe(true);
  expect((await mark({ x: 0, y: 115, width: 300, height: 60, text: 'fill this' })).status).toBe(200);
  expect((await asked).text).toMatch(/wrote: "fill this"\.\n.*In it: textbox "Name" \[ref=e\d+]/);
});
