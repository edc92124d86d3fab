import { expect, test } from 'vitest';
import { firstSeed, isLongRun } from '../extent.ts';
import { control, get, openSession, person, start, takeControl, watch } from './dashboard-person.ts';
import type { Watching } from './dashboard-person.ts';
import type { HttpClient } from './http-listener.ts';
import type { Answer } from '../fixtures.ts';

/** Logs trusted input: `a` for the button of the agent, else the place that the person pressed. */
const logged = `<title>Log</title><body style="margin:0"><button style="position:absolute;left:900px;top:500px;width:200px;height:100px">Agent</button>
<script>window.seen = [];
for (const type of ['mousedown', 'mouseup', 'keydown'])
  addEventListener(type, (event) => event.isTrusted && seen.push(type[5] + ':' +
    (event.clientX >= 900 ? 'a' : event.key ?? event.clientX + ',' + event.clientY)), true);
</script>`;
const page = `data:text/html,${encodeURIComponent(logged)}`;
/** All 500 take minutes: `PAGEHELM_INTERLEAVINGS=500`. */
const runs = isLongRun ? Number(process.env['PAGEHELM_INTERLEAVINGS'] ?? 100) : 8;

/** Mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What the page has logged, read in parts that fit into an answer. */
async function seenBy(client: Pick<HttpClient, 'call'>): Promise<readonly string[]> {
  const seen: string[] = [];
  for (;;) {
    const part = `() => \`seen: \${seen.slice(${seen.length}, ${seen.length + 200}).join(' ')}\``;
    const { text, isError } = await client.call('browser_evaluate', { function: part });
    expect(isError, text).toBe(false);
    const events = (/^seen: (.*)$/m.exec(text)?.[1] ?? '').split(' ').filter((event) => event !== '');
    seen.push(...events);
    if (events.length < 200) return seen;
  }
}

test(
  `in ${runs} interleavings of agent and person no input is mixed, and what was acknowledged happened once`,
  async () => {
    await using server = await start();
    const id = await openSession(server, 'ann-key', page);
    const ann = await person(server, { key: 'ann-key' });
    await using client = await server.client({}, 'ann-key');
    const next = random(firstSeed);
    const acknowledged = new Map<string, boolean>();
    const holds: string[][] = [];
    const answers: Answer[] = [];
    let own: Watching = await watch(server, ann);
    for (let run = 0; run < runs; run++) {
      const calls = Array.from({ length: Math.floor(next() * 3) }, async () =>
        client.call('browser_click', { selector: 'button', snapshotMode: 'none' }),
      );
      // The person comes at another moment of the calls each time.
      for (let reads = Math.floor(next() * 4); reads > 0; reads--) await get(server, '/api/v1/state', ann.headers);
      await takeControl(server, ann, id, { force: next() < 0.5 });
      const later = next() < 0.5 ? [client.call('browser_click', { selector: 'button', snapshotMode: 'none' })] : [];
      const places: string[] = [];
      for (let count = Math.floor(next() * 3); count >= 0; count--) {
        const [x, y] = [(run * 3 + count) % 800, Math.floor((run * 3 + count) / 800)];
        places.push(`${x},${y}`);
        const at = { x, y, modifiers: [], button: 'left', clicks: 1 } as const;
        const down = own.put(id, { kind: 'down', ...at });
        const up = own.put(id, { kind: 'up', ...at });
        acknowledged.set(`${x},${y}`, (await down).isDone && (await up).isDone);
        if (next() < 0.2) {
          own.socket.terminate();
          own = await watch(server, ann);
        }
      }
      holds.push(places);
      expect((await control(server, ann, id, { do: 'give' })).status).toBe(200);
      answers.push(...(await Promise.all([...calls, ...later])));
    }
    own.socket.terminate();
    const seen = await seenBy(client);
    // Every press is followed by its own release.
    const presses = seen.filter((event) => event.startsWith('d:'));
    expect(seen).toEqual(presses.flatMap((event) => [event, event.replace('d:', 'u:')]));
    const order = presses.map((event) => event.slice(2));
    for (const [place, isDone] of acknowledged)
      expect([place, order.filter((each) => each === place).length]).toEqual([place, isDone ? 1 : expect.any(Number)]);
    expect([...acknowledged.values()].every(Boolean)).toBe(true);
    // What a person did during one control is in one piece: nothing of the agent is in between.
    for (const places of holds) {
      const first = order.indexOf(places[0] ?? '');
      expect(order.slice(first, first + places.length)).toEqual(places);
    }
    const clicks = order.filter((each) => each === 'a').length;
    const done = answers.filter(({ isError }) => !isError).length;
    const unknown = answers.filter(({ isError, structured }) => isError && structured?.['effect'] === 'unknown').length;
    expect(clicks).toBeGreaterThanOrEqual(done);
    expect(clicks).toBeLessThanOrEqual(done + unknown);
  },
  isLongRun ? 900_000 : 60_000,
);
