import { expect, test } from 'vitest';
import { FifoQueue } from './queue.ts';

const never = new AbortController().signal;

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('tasks run one at a time, in order', async () => {
  const queue = new FifoQueue(10, () => new Error('full'));
  const order: string[] = [];
  const task = (name: string) => async (): Promise<string> => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all(['a', 'b', 'c'].map((name) => queue.run(never, task(name))));
  expect(results).toEqual(['a', 'b', 'c']);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('a task that fails does not block the next', async () => {
  const queue = new FifoQueue(10, () => new Error('full'));
  const failing = queue.run(never, async () => {
    throw new Error('broken');
  });
  const next = queue.run(never, async () => 'fine');
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('fine');
});

test('tasks beyond the limit are rejected, and the running one does not count', async () => {
  const queue = new FifoQueue(2, (waiting) => new Error(`${waiting} are waiting`));
  const { opened, open } = gate();
  const started = gate();
  const running = queue.run(never, async () => {
    started.open();
    await opened;
  });
  await started.opened;
  const waiting = [queue.run(never, async () => 1), queue.run(never, async () => 2)];
  await expect(queue.run(never, async () => 3)).rejects.toThrow('2 are waiting');
  open();
  await running;
  await expect(Promise.all(waiting)).resolves.toEqual([1, 2]);
  await expect(queue.run(never, async () => 4)).resolves.toBe(4);
});

test('a canceled task leaves the queue, and the order stays', async () => {
  const queue = new FifoQueue(10, () => new Error('full'));
  const { opened, open } = gate();
  const order: string[] = [];
  const first = queue.run(never, async () => {
    await opened;
    order.push('first');
  });
  const cancel = new AbortController();
  const cancelled = queue.run(cancel.signal, async () => order.push('cancelled'));
  const third = queue.run(never, async () => order.push('third'));
  cancel.abort(new Error('no longer wanted'));
  await expect(cancelled).rejects.toThrow('no longer wanted');
  expect(order).toEqual([]);
  open();
  await Promise.all([first, third]);
  expect(order).toEqual(['first', 'third']);
});

test('a task whose signal has aborted already does not run', async () => {
  const queue = new FifoQueue(10, () => new Error('full'));
  await expect(queue.run(AbortSignal.abort(new Error('gone')), async () => 'ran')).rejects.toThrow('gone');
});

test('a task can enter at the head: after the running one, before all that wait', async () => {
  const queue = new FifoQueue(1, () => new Error('full'));
  const { opened, open } = gate();
  const order: string[] = [];
  const first = queue.run(never, async () => {
    await opened;
    order.push('first');
  });
  const second = queue.run(never, async () => order.push('second'));
  const head = queue.runNext(never, async () => order.push('head'));
  expect(queue.size).toBe(3);
  open();
  await Promise.all([first, second, head]);
  expect(order).toEqual(['first', 'head', 'second']);
  expect(queue.size).toBe(0);
});
