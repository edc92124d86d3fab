import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { readPicture } from './api.ts';
import { clock, count, duration, summary } from './format.ts';
import type { CallLine } from './model.ts';

interface TimelineProps {
  readonly session: string;
  readonly lines: readonly CallLine[];
}

/** The calls of a session, newest first. */
export function Timeline({ session, lines }: TimelineProps): JSX.Element {
  if (lines.length === 0) return <p class="quiet">No calls yet.</p>;
  return (
    <>
      <Spark label="Duration of the last calls" values={lines.slice(-60).map(({ ms = 0 }) => ms)} />
      <Spark label="Tokens of the last answers" values={lines.slice(-60).map(({ tokens = 0 }) => tokens)} />
      <ol class="timeline" reversed>
        {lines.toReversed().map((line) => (
          <li key={line.id} class={outcomeOf(line)}>
            <details>
              <summary>
                <span class="tool">{line.tool}</span>
                <span class="outcome">{line.isRunning ? 'running' : (line.code ?? 'ok')}</span>
                <span class="quiet">
                  {clock(line.at)}
                  {line.ms === undefined ? '' : ` · ${duration(line.ms)}`}
                  {line.tokens === undefined ? '' : ` · ${count(line.tokens)} tokens`}
                </span>
                <span class="arguments">{summary(line.args)}</span>
              </summary>
              {line.hasPicture === true && <Picture session={session} call={line.id} />}
              <pre>{JSON.stringify(line.args, undefined, 2)}</pre>
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The page after a call; loaded when its details are opened. */
function Picture({ session, call }: { readonly session: string; readonly call: string }): JSX.Element {
  const url = useSignal<string | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const details = place.current?.closest('details');
    const load = (): void => {
      if (details?.open === true && url.value === undefined)
        void readPicture(session, call).then((found) => (url.value = found));
    };
    load();
    details?.addEventListener('toggle', load);
    return () => {
      details?.removeEventListener('toggle', load);
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
    };
  }, [session, call]);
  return (
    <div ref={place}>{url.value !== undefined && <img class="after" src={url.value} alt="The page after it" />}</div>
  );
}

function outcomeOf({ isRunning, code }: CallLine): string {
  if (isRunning) return 'running';
  return code === undefined ? 'ok' : 'failed';
}

const sparkWidth = 300;
const sparkHeight = 28;

function Spark({ label, values }: { readonly label: string; readonly values: readonly number[] }): JSX.Element {
  const most = Math.max(1, ...values);
  const step = sparkWidth / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${index * step},${sparkHeight - (value / most) * (sparkHeight - 2)}`);
  return (
    <figure class="spark">
      <figcaption class="quiet">{label}</figcaption>
      <svg viewBox={`0 0 ${sparkWidth} ${sparkHeight}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
    </figure>
  );
}
