import { raceSignal } from '../../util/signals.ts';
import { cut, pageText } from '../../util/text.ts';
import type { Artifact } from '../files/artifacts.ts';
import type { Session } from '../session.ts';
import { placedElements } from '../snapshot/boxes.ts';
import type { Tab } from '../tab.ts';

/** A box that a person drew on the page, and a sentence about it. */
export interface Mark {
  /** In CSS pixels of the viewport. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

/** A mark with the elements inside of it, and an image of the page. */
export interface Annotation {
  readonly lines: readonly string[];
  readonly file: Artifact;
  readonly refs: readonly string[];
}

const longestText = 500;
const longestName = 60;
const mostElements = 12;
/** Share of an element that must be in the box. */
const inside = 0.6;

/** What people mark in the dashboard: for the call that waits for it, else for the next answer. */
export class Annotations {
  readonly #session: Session;
  #waiting: ((mark: Mark) => void) | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Whether a call waits for a mark. */
  get isWanted(): boolean {
    return this.#waiting !== undefined;
  }

  /** The next mark. */
  async next(tab: Tab, signal: AbortSignal): Promise<Annotation> {
    const marked = new Promise<Mark>((resolve) => {
      this.#waiting = resolve;
    });
    try {
      return await annotate(this.#session, tab, await raceSignal(marked, signal), signal);
    } finally {
      this.#waiting = undefined;
    }
  }

  /** Takes a mark of a person; the next answer tells it. */
  async add(mark: Mark, signal: AbortSignal): Promise<void> {
    if (this.#waiting !== undefined) return this.#waiting(mark);
    const session = this.#session;
    const run = async (): Promise<void> => {
      const tab = session.current;
      if (tab === undefined) return;
      const { lines, file } = await annotate(session, tab, mark, signal);
      session.tell(lines.join(' '));
      session.addFile(file);
    };
    return session.person.isHeld ? run() : session.exclusive(signal, run);
  }
}

async function annotate(session: Session, tab: Tab, mark: Mark, signal: AbortSignal): Promise<Annotation> {
  const elements = (await placedElements(tab, signal)).filter(({ box }) => share(box, mark) >= inside);
  const file = await session.files.save({
    kind: 'screenshot',
    generated: { prefix: 'annotation', extension: 'png' },
    data: await tab.page.screenshot({ type: 'png' }),
    mimeType: 'image/png',
    tab: tab.id,
  });
  const shown = elements
    .slice(0, mostElements)
    .map(({ ref, role, name }) => `${role} ${JSON.stringify(cut(pageText(name), longestName))} [ref=${ref}]`);
  const place = `x ${Math.round(mark.x)}, y ${Math.round(mark.y)}, ${Math.round(mark.width)}x${Math.round(mark.height)}`;
  const text = JSON.stringify(cut(pageText(mark.text), longestText));
  return {
    lines: [
      `A person marked ${place} on the page and wrote: ${text}.`,
      shown.length === 0 ? 'No element lies in it.' : `In it: ${shown.join(', ')}.`,
      `Screenshot: ${file.shown}`,
    ],
    file: file.artifact,
    refs: elements.map(({ ref }) => ref),
  };
}

/** The part of a box that lies in another. */
function share(box: Omit<Mark, 'text'>, around: Omit<Mark, 'text'>): number {
  const width = Math.min(box.x + box.width, around.x + around.width) - Math.max(box.x, around.x);
  const height = Math.min(box.y + box.height, around.y + around.height) - Math.max(box.y, around.y);
  return (Math.max(0, width) * Math.max(0, height)) / Math.max(1, box.width * box.height);
}
