import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import type { SessionState } from '../dashboard/protocol.ts';
import { put } from './model.ts';

const moves = [
  ['back', '←', 'Back'],
  ['forward', '→', 'Forward'],
  ['reload', '↻', 'Reload'],
] as const;

/** The address of the page, for the person in control. */
export function AddressBar({ session }: { readonly session: SessionState }): JSX.Element {
  const url = session.tabs.find(({ isCurrent }) => isCurrent)?.url ?? '';
  const typed = useSignal<string | undefined>(undefined);
  const problem = useSignal(false);
  const go = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { isDone } = await put(session.id, { kind: 'navigate', url: typed.value ?? url });
    problem.value = !isDone;
    if (isDone) typed.value = undefined;
  };
  return (
    <form class="address" onSubmit={(event) => void go(event)}>
      {moves.map(([to, sign, name]) => (
        <button key={to} type="button" aria-label={name} onClick={() => void put(session.id, { kind: 'go', to })}>
          {sign}
        </button>
      ))}
      <input
        aria-label="Address"
        value={typed.value ?? url}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onBlur={() => (typed.value = typed.value === url ? undefined : typed.value)}
      />
      <span role="alert">{problem.value ? 'This address cannot be opened.' : ''}</span>
    </form>
  );
}
