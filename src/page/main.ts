import { startClock } from './clock.ts';
import type { Command, FrameState } from './protocol.ts';

/**
 * The page agent: lives in an isolated world of a frame, where the page can neither see nor touch it, and keeps what it
 * knows between calls.
 */
interface Agent {
  /** Takes a command as JSON and answers with JSON. */
  run(command: string): string;
}

declare global {
  var pagehelmAgent: Agent | undefined;
}

const secretFields =
  'input[type=password],input[autocomplete^=cc-],input[autocomplete=one-time-code],' +
  'input[autocomplete=current-password],input[autocomplete=new-password]';

/** The agent of this document; made when there is none yet. */
export function installAgent(): Agent {
  globalThis.pagehelmAgent ??= createAgent();
  return globalThis.pagehelmAgent;
}

function createAgent(): Agent {
  const id = Math.random().toString(36).slice(2);
  const clock = startClock(document);

  const state = (): FrameState => {
    const { events, mutations, quietMs } = clock();
    const fields = [...document.querySelectorAll<HTMLInputElement>(secretFields)];
    return {
      document: id,
      changes: events + mutations,
      mutations,
      quietMs,
      title: document.title,
      secrets: fields.map((field) => field.value).filter((value) => value !== ''),
      isInSecret: document.activeElement?.matches(secretFields) === true,
    };
  };

  const answer = (command: Command): unknown => {
    switch (command.do) {
      case 'state':
        return state();
    }
  };
  // Only our own server writes commands: the page has no way into this world.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { run: (command) => JSON.stringify(answer(JSON.parse(command) as Command)) };
}
