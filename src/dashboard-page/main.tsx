import { render } from 'preact';
import type { JSX } from 'preact';
import { enter } from './api.ts';
import { duration, megabytes } from './format.ts';
import { Grid } from './grid.tsx';
import { announcement, connect, isConnected, isIn, loadCalls, select, selected, server } from './model.ts';
import { SessionView } from './session-view.tsx';
import { SignIn } from './sign-in.tsx';

function App({ problem }: { readonly problem: string | undefined }): JSX.Element {
  if (!isIn.value) return <SignIn problem={problem} />;
  connect();
  const session = server.value?.sessions.find(({ id }) => id === selected.value);
  return (
    <>
      <Top />
      {session === undefined ? <Grid /> : <SessionView session={session} />}
      <p class="hidden" role="status">
        {announcement.value}
      </p>
    </>
  );
}

function Top(): JSX.Element {
  const state = server.value;
  return (
    <header class="top">
      <strong>pagehelm</strong>
      {state !== undefined && (
        <span class="quiet">
          {state.sessions.length} sessions · server {megabytes(state.rssBytes)}
          {state.browserRssBytes === undefined ? '' : ` · browsers ${megabytes(state.browserRssBytes)}`} · up{' '}
          {duration(state.upSeconds * 1000)}
        </span>
      )}
      <span class={isConnected.value ? 'quiet' : 'lost'}>{isConnected.value ? 'live' : 'connecting …'}</span>
    </header>
  );
}

async function start(): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  let problem: string | undefined;
  if (ticket !== null) {
    // Not in the history, and not in a bookmark.
    const session = new URLSearchParams(location.hash.slice(1)).get('session');
    history.replaceState(null, '', `${location.pathname}${session === null ? '' : `#session=${session}`}`);
    problem = await enter({ ticket });
    isIn.value = problem === undefined || isIn.value;
  }
  if (isIn.value && selected.value !== undefined) void loadCalls(selected.value);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && select(undefined));
  const root = document.getElementById('app');
  if (root !== null) render(<App problem={problem} />, root);
}

void start();
