import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { SessionState } from '../dashboard/protocol.ts';
import { AddressBar } from './address-bar.tsx';
import { Annotate } from './annotate.tsx';
import { change } from './api.ts';
import { ControlBar } from './control-bar.tsx';
import { Status } from './grid.tsx';
import { LiveView } from './live-view.tsx';
import { Console, Requests } from './logs.tsx';
import { calls, put, select, server } from './model.ts';
import { PopupPanel } from './popup-panel.tsx';
import { Surface } from './surface.tsx';
import { Timeline } from './timeline.tsx';

const panels = ['Calls', 'Console', 'Network'] as const;

/** One session, large. */
export function SessionView({ session }: { readonly session: SessionState }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [session.id]);
  const tab = session.tabs.find(({ isCurrent }) => isCurrent);
  const title = tab?.title === undefined || tab.title === '' ? (tab?.url ?? 'No page') : tab.title;
  const { control } = session;
  const isMarking = useSignal(false);
  const isMine = control?.isMine === true && control.phase === 'held';
  const isHidden = control?.isPrivate === true && control.phase === 'held' && !isMine;
  return (
    <main class="session">
      <header class="bar">
        <button type="button" onClick={() => select(undefined)}>
          ← All sessions
        </button>
        <h1 ref={heading} tabIndex={-1}>
          <Status session={session} /> {session.name} <span class="quiet">{session.driver}</span>
        </h1>
        <Actions session={session} />
      </header>
      <section class="stage" aria-label="Page">
        <ControlBar session={session} />
        {isMine ? (
          <AddressBar session={session} />
        ) : (
          <p class="address">
            <span class="title">{title}</span> <span class="quiet">{tab?.url}</span>
          </p>
        )}
        {isHidden ? (
          <p class="empty quiet">A person uses this page privately.</p>
        ) : (
          <div class={isMine ? 'live mine' : 'live'}>
            <LiveView session={session.id} label={`Live view of ${title}`} width={1600} height={1600} fps={30} />
            {isMine && <Surface session={session.id} />}
            {isMine && <PopupPanel session={session.id} />}
            {isMarking.value && <Annotate session={session.id} onEnd={() => (isMarking.value = false)} />}
          </div>
        )}
        {server.value?.scope !== 'view' && !isHidden && !isMarking.value && (
          <p class="below">
            <button type="button" onClick={() => (isMarking.value = true)}>
              Annotate
            </button>{' '}
            {session.wantsMark === true && <strong>The agent asks you to mark something on the page.</strong>}
          </p>
        )}
        {session.tabs.length > 1 && !isHidden && <Tabs session={session} isMine={isMine} />}
      </section>
      <Panels session={session.id} />
    </main>
  );
}

function Tabs({ session, isMine }: { readonly session: SessionState; readonly isMine: boolean }): JSX.Element {
  return (
    <ul class="tabs">
      {session.tabs.map(({ id, title, url, isCurrent }) => {
        const name = `${id} ${title === '' ? url : title}`;
        return (
          <li key={id} aria-current={isCurrent}>
            {isMine ? (
              <button type="button" onClick={() => void put(session.id, { kind: 'tab', tab: id })}>
                {name}
              </button>
            ) : (
              name
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Panels({ session }: { readonly session: string }): JSX.Element {
  const shown = useSignal<(typeof panels)[number]>('Calls');
  const turn = (by: number): void => {
    const next = panels[(panels.indexOf(shown.value) + by + panels.length) % panels.length] ?? 'Calls';
    shown.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section class="panels" aria-label="Details">
      <div role="tablist" aria-label="Details">
        {panels.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={shown.value === name}
            aria-controls="panel"
            tabIndex={shown.value === name ? 0 : -1}
            onClick={() => (shown.value = name)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') turn(1);
              if (key === 'ArrowLeft') turn(-1);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${shown.value}`} tabIndex={0}>
        {shown.value === 'Calls' && <Timeline session={session} lines={calls.value.get(session) ?? []} />}
        {shown.value === 'Console' && <Console session={session} />}
        {shown.value === 'Network' && <Requests session={session} />}
      </div>
    </section>
  );
}

function Actions({ session }: { readonly session: SessionState }): JSX.Element | null {
  const problem = useSignal<string | undefined>(undefined);
  const isAsking = useSignal(false);
  if (server.value?.scope === 'view') return <span class="quiet">view only</span>;
  const { id, running } = session;
  const send = async (path: string): Promise<void> => {
    problem.value = await change(`/api/v1/sessions/${id}/${path}`);
  };
  const close = async (): Promise<void> => {
    await send('close');
    if (problem.value === undefined) select(undefined);
  };
  return (
    <div class="actions">
      <span role="alert">{problem.value}</span>
      <button
        type="button"
        disabled={running === undefined}
        onClick={() => void (running !== undefined && send(`calls/${running.id}/cancel`))}
      >
        Stop this call
      </button>
      {isAsking.value ? (
        <button type="button" class="danger" onBlur={() => (isAsking.value = false)} onClick={() => void close()}>
          Close it and its tabs
        </button>
      ) : (
        <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
          Close session
        </button>
      )}
    </div>
  );
}
