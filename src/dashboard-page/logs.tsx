import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { readConsole, readRequests } from './api.ts';
import { duration } from './format.ts';

const refreshMs = 2000;

/** Lines of a session, read again while they are shown. */
function useLines<T>(read: (session: string) => Promise<readonly T[]>, session: string): readonly T[] {
  const lines = useSignal<readonly T[]>([]);
  useEffect(() => {
    let isShown = true;
    const refresh = async (): Promise<void> => {
      const found = await read(session);
      if (isShown) lines.value = found;
    };
    void refresh();
    const timer = setInterval(() => void refresh(), refreshMs);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [read, session]);
  return lines.value;
}

export function Console({ session }: { readonly session: string }): JSX.Element {
  const lines = useLines(readConsole, session);
  if (lines.length === 0) return <p class="quiet">The page has written nothing to the console.</p>;
  return (
    <ol class="lines">
      {lines.toReversed().map(({ sequence, level, text }) => (
        <li key={sequence} class={level}>
          <span class="quiet">{level}</span> {text}
        </li>
      ))}
    </ol>
  );
}

export function Requests({ session }: { readonly session: string }): JSX.Element {
  const lines = useLines(readRequests, session);
  if (lines.length === 0) return <p class="quiet">The page has made no requests.</p>;
  return (
    <ol class="lines">
      {lines.toReversed().map(({ index, method, url, status, failure, type, ms }) => (
        <li key={index} class={failure !== undefined || (status ?? 0) >= 400 ? 'error' : ''}>
          <span class="quiet">
            {method} {status ?? failure ?? 'pending'} {type} {ms === undefined ? '' : duration(ms)}
          </span>{' '}
          {url}
        </li>
      ))}
    </ol>
  );
}
