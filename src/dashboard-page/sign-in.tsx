import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { enter } from './api.ts';
import { isIn } from './model.ts';

/** Asks for the key of the server. */
export function SignIn({ problem }: { readonly problem: string | undefined }): JSX.Element {
  const shown = useSignal(problem);
  const key = useSignal('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    shown.value = await enter({ key: key.value.trim() });
    isIn.value = shown.value === undefined;
  };
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>pagehelm</h1>
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="current-password"
          required
          value={key.value}
          onInput={({ currentTarget }) => (key.value = currentTarget.value)}
        />
        <button type="submit" class="primary">
          Open the dashboard
        </button>
        <p role="alert">{shown.value}</p>
        <p class="quiet">The server prints the key, and a link that works once within a minute, when it starts.</p>
      </form>
    </main>
  );
}
