import type { JSX } from 'preact';
import type { SessionState } from '../dashboard/protocol.ts';
import { count, duration } from './format.ts';
import { LiveView } from './live-view.tsx';
import { select, sessions } from './model.ts';

/** All sessions, those at work first. */
export function Grid(): JSX.Element {
  const all = sessions();
  if (all.length === 0)
    return (
      <main class="empty">
        <h1>No sessions yet</h1>
        <p class="quiet">A session appears here when a client makes its first call.</p>
      </main>
    );
  return (
    <main>
      <h1 class="hidden">Sessions</h1>
      <ul class="grid">
        {all.map((session) => (
          <li key={session.id}>
            <Tile session={session} />
          </li>
        ))}
      </ul>
    </main>
  );
}

function Tile({ session }: { readonly session: SessionState }): JSX.Element {
  const tab = session.tabs.find(({ isCurrent }) => isCurrent);
  const title = tab?.title === undefined || tab.title === '' ? (tab?.url ?? 'No page') : tab.title;
  return (
    <button type="button" class={session.isOpen ? 'tile' : 'tile stale'} onClick={() => select(session.id)}>
      <span class="screen">
        {session.isOpen ? (
          <LiveView session={session.id} label={`Live view of ${title}`} width={480} height={480} fps={2} />
        ) : (
          <span class="quiet">no browser</span>
        )}
      </span>
      <span class="name">
        <Status session={session} /> {session.name}
        <span class="quiet"> {session.driver}</span>
      </span>
      <span class="title">{title}</span>
      <span class="quiet">
        {session.running === undefined ? `idle ${duration(session.idleMs)}` : session.running.tool} ·{' '}
        {count(session.tokens)} tokens
      </span>
    </button>
  );
}

export function Status({ session }: { readonly session: SessionState }): JSX.Element {
  const state = session.calls > 0 ? 'busy' : session.isOpen ? 'idle' : 'closed';
  return <span class={`dot ${state}`} role="img" aria-label={state} />;
}
