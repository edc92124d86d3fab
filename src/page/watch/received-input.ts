import type { ActionInput } from '../protocol.ts';

/** Records which inputs have arrived since the action began. */
export interface ReceivedInput {
  /** An action begins. */
  begin(): void;
  /** The agent has made this input itself. */
  add(input: ActionInput): void;
  has(input: ActionInput): boolean;
}

export function watchInput(): ReceivedInput {
  const received = new Set<ActionInput>();
  for (const type of ['input', 'keyup'] as const)
    window.addEventListener(type, ({ isTrusted }) => isTrusted && received.add(type), true);
  return {
    begin: () => received.clear(),
    add: (input) => void received.add(input),
    has: (input) => received.has(input),
  };
}

/** Waits for a task behind all that are due: messages are delivered in the order in which they were posted. */
export function createTaskQueue(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.addEventListener('message', () => waiting.shift()?.());
  port1.start();
  return async () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(0);
    });
}
