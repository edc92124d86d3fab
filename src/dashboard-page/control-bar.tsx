import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import type { SessionState } from '../dashboard/protocol.ts';
import { change } from './api.ts';
import { clockLeft } from './format.ts';
import { server } from './model.ts';

type Send = (body: object) => Promise<boolean>;

interface PartProps {
  readonly session: SessionState;
  readonly send: Send;
}

/** Takes control of a session, and gives it back. */
export function ControlBar({ session }: { readonly session: SessionState }): JSX.Element | null {
  const problem = useSignal<string | undefined>(undefined);
  const scope = server.value?.scope;
  const { control, id } = session;
  if (scope === undefined || (scope === 'view' && control === undefined)) return null;
  const send: Send = async (body) => {
    problem.value = await change(`/api/v1/sessions/${id}/control`, body);
    return problem.value === undefined;
  };
  const parts = { session, send };
  return (
    <section class={control === undefined ? 'control' : 'control held'} aria-label="Control">
      {session.asked !== undefined && (
        <p class="asked">
          The agent asks for your help{session.asked.kind === 'other' ? '' : ` (${session.asked.kind})`}:{' '}
          <strong>{session.asked.reason}</strong>
          {control === undefined && scope !== 'view' && (
            <button type="button" onClick={() => void send({ do: 'decline' })}>
              Decline
            </button>
          )}
        </p>
      )}
      {control === undefined && <Take {...parts} />}
      {control?.isMine === true && control.phase === 'waiting' && <Waiting {...parts} />}
      {control?.isMine === true && control.phase === 'held' && <Held {...parts} />}
      {control?.isMine === false && (
        <>
          <span>
            {control.by} {control.phase === 'held' ? 'has control' : 'waits for control'}
            {control.isPrivate ? ' and uses the page privately' : ''}.
          </span>
          {scope === 'admin' && (
            <button type="button" class="danger" onClick={() => void send({ do: 'revoke' })}>
              Take it back
            </button>
          )}
        </>
      )}
      <span role="alert">{problem.value}</span>
    </section>
  );
}

function Take({ send }: PartProps): JSX.Element {
  const isShared = useSignal(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => void send({ do: 'take', isPrivate: !isShared.value })}>
        Take control
      </button>
      <label class="quiet">
        <input
          type="checkbox"
          checked={isShared.value}
          onChange={({ currentTarget }) => (isShared.value = currentTarget.checked)}
        />{' '}
        let others watch
      </label>
    </>
  );
}

function Waiting({ session, send }: PartProps): JSX.Element {
  return (
    <>
      <span>Waiting for {session.running?.tool ?? 'the running call'} to end …</span>
      <button type="button" class="danger" onClick={() => void send({ do: 'take', force: true })}>
        Force
      </button>
      <button type="button" onClick={() => void send({ do: 'give' })}>
        Cancel
      </button>
    </>
  );
}

function Held({ session: { control, asked }, send }: PartProps): JSX.Element {
  const note = useSignal('');
  const give = (failed: boolean): void => void send({ do: 'give', note: note.value, failed });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        give(false);
      }}
    >
      <span class="quiet">
        You have control, {clockLeft(control?.leftMs ?? 0)} left
        {control?.isPrivate === true ? '; nobody else sees the page' : ''}
      </span>
      <button type="button" onClick={() => void send({ do: 'extend' })}>
        Extend
      </button>
      <input
        aria-label="Note to the agent"
        placeholder="Note to the agent"
        maxLength={2000}
        value={note.value}
        onInput={({ currentTarget }) => (note.value = currentTarget.value)}
      />
      <button type="submit" class="primary" id="give-back">
        Give back
      </button>
      {asked !== undefined && (
        <button type="button" onClick={() => give(true)}>
          Give back, not done
        </button>
      )}
    </form>
  );
}
