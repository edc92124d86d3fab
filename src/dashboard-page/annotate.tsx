import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { change } from './api.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Smaller boxes are slips of the mouse. */
const leastPixels = 4;

type Pointed = PointerEvent & { readonly currentTarget: HTMLElement };

/** A place in parts of the view, so that it fits any size. */
function at({ clientX, clientY, currentTarget }: Pointed): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}

/** A box in parts of the view, in CSS pixels of the page. */
function inPixels({ x, y, width, height }: Box): Box {
  const canvas = document.querySelector<HTMLCanvasElement>('.live canvas');
  const [across, along] = [Number(canvas?.dataset['width'] ?? 0), Number(canvas?.dataset['height'] ?? 0)];
  return {
    x: x * across,
    y: y * along,
    width: Math.max(leastPixels, width * across),
    height: Math.max(leastPixels, height * along),
  };
}

function Drawn({ box }: { readonly box: Box | undefined }): JSX.Element {
  const percent = (value: number): string => `${value * 100}%`;
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return (
    <svg aria-hidden="true">
      <rect x={percent(x)} y={percent(y)} width={percent(width)} height={percent(height)} />
    </svg>
  );
}

/** Draws a box on the live view, for a note to the agent. */
export function Annotate({ session, onEnd }: { readonly session: string; readonly onEnd: () => void }): JSX.Element {
  const box = useSignal<Box | undefined>(undefined);
  const start = useSignal<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const text = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const draw = (event: Pointed): void => {
    const from = start.value;
    if (from === undefined) return;
    const to = at(event);
    box.value = {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(to.x - from.x),
      height: Math.abs(to.y - from.y),
    };
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const mark = { ...inPixels(box.value ?? { x: 0, y: 0, width: 1, height: 1 }), text: text.value };
    problem.value = await change(`/api/v1/sessions/${session}/annotate`, mark);
    if (problem.value === undefined) onEnd();
  };
  return (
    <>
      <div
        class="marking"
        role="img"
        aria-label="Draw a box on the page with the mouse; without one, the note is about the whole page"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          start.value = at(event);
        }}
        onPointerMove={draw}
        onPointerUp={() => (start.value = undefined)}
      >
        <Drawn box={box.value} />
      </div>
      <form class="popup note" onSubmit={(event) => void submit(event)}>
        <label for="mark-note">Draw a box, and write to the agent about it</label>
        <input
          id="mark-note"
          required
          maxLength={500}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
        <button type="submit" class="primary">
          Send to the agent
        </button>
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
        <span role="alert">{problem.value}</span>
      </form>
    </>
  );
}
