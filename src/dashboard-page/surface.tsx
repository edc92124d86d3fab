import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PersonInput } from '../dashboard/protocol.ts';
import { announcement, put } from './model.ts';

type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';

/** Clicks that follow within this time and distance are one double click. */
const doubleMs = 500;
const doublePixels = 5;
/** A finger that has moved this far scrolls. */
const slipPixels = 8;
const lineHeight = 16;
const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The modifiers as the browser of the agent knows them: there, shortcuts are on Control. */
function modifiersOf(event: MouseEvent | KeyboardEvent): readonly Modifier[] {
  const { altKey, ctrlKey, metaKey, shiftKey } = event;
  return [
    ...(altKey ? (['Alt'] as const) : []),
    ...(ctrlKey || (isMac && metaKey) ? (['Control'] as const) : []),
    ...(metaKey && !isMac ? (['Meta'] as const) : []),
    ...(shiftKey ? (['Shift'] as const) : []),
  ];
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly modifiers: readonly Modifier[];
}

const buttons = ['left', 'middle', 'right'] as const;

/** Sends what a person does on the live view to the page of a session. */
class Sender {
  readonly #session: string;
  readonly #area: HTMLTextAreaElement;
  #clicks = { at: 0, x: 0, y: 0, count: 0 };
  /** The newest move; sent with the next frame. */
  #move: PersonInput | undefined;
  #touch: { readonly x: number; readonly y: number; isScroll: boolean; lastX: number; lastY: number } | undefined;

  constructor(session: string, area: HTMLTextAreaElement) {
    this.#session = session;
    this.#area = area;
  }

  /** Calls of the browser by event; each returns whether its own action is prevented. */
  readonly #handlers: Readonly<Record<string, (event: Event) => boolean>> = {
    pointerdown: (event) => event instanceof PointerEvent && this.#down(event),
    pointermove: (event) => event instanceof PointerEvent && this.#moved(event),
    pointerup: (event) => event instanceof PointerEvent && this.#up(event),
    wheel: (event) => event instanceof WheelEvent && this.#wheel(event),
    contextmenu: () => true,
    keydown: (event) => event instanceof KeyboardEvent && this.#key(event, 'keydown'),
    keyup: (event) => event instanceof KeyboardEvent && this.#key(event, 'keyup'),
    paste: (event) => event instanceof ClipboardEvent && this.#paste(event),
    compositionend: (event) => event instanceof CompositionEvent && this.#text(event.data),
    input: (event) => event instanceof InputEvent && this.#input(event),
  };

  listen(): () => void {
    const end = new AbortController();
    for (const [type, handle] of Object.entries(this.#handlers))
      this.#area.addEventListener(type, (event) => void (handle(event) && event.preventDefault()), {
        passive: false,
        signal: end.signal,
      });
    return () => end.abort();
  }

  #send(input: PersonInput): void {
    this.#flush();
    void put(this.#session, input);
  }

  #flush(): void {
    const move = this.#move;
    this.#move = undefined;
    if (move !== undefined) void put(this.#session, move);
  }

  /** A place of the canvas in CSS pixels of the page. */
  #at(event: MouseEvent): Place {
    const canvas = this.#area.parentElement?.querySelector('canvas');
    const box = this.#area.getBoundingClientRect();
    const scale = Number(canvas?.dataset['width'] ?? box.width) / box.width;
    const x = Math.round((event.clientX - box.left) * scale * 10) / 10;
    const y = Math.round((event.clientY - box.top) * scale * 10) / 10;
    return { x, y, modifiers: modifiersOf(event) };
  }

  #down(event: PointerEvent): boolean {
    this.#area.focus();
    const at = this.#at(event);
    if (event.pointerType === 'touch') {
      this.#touch = { ...at, isScroll: false, lastX: at.x, lastY: at.y };
      return false;
    }
    this.#area.setPointerCapture(event.pointerId);
    this.#press('down', at, event.button);
    return true;
  }

  #press(kind: 'down' | 'up', at: Place, button: number): void {
    if (kind === 'down') {
      const { at: last, x, y, count } = this.#clicks;
      const isNext = performance.now() - last < doubleMs && Math.hypot(at.x - x, at.y - y) < doublePixels;
      this.#clicks = { at: performance.now(), x: at.x, y: at.y, count: isNext ? (count % 3) + 1 : 1 };
    }
    this.#move = undefined;
    this.#send({ kind, ...at, button: buttons[button] ?? 'left', clicks: this.#clicks.count });
  }

  #moved(event: PointerEvent): boolean {
    const at = this.#at(event);
    const touch = this.#touch;
    if (touch !== undefined) {
      touch.isScroll ||= Math.hypot(at.x - touch.x, at.y - touch.y) > slipPixels;
      if (touch.isScroll) this.#send({ kind: 'wheel', ...at, dx: touch.lastX - at.x, dy: touch.lastY - at.y });
      [touch.lastX, touch.lastY] = [at.x, at.y];
      return true;
    }
    if (this.#move === undefined) requestAnimationFrame(() => this.#flush());
    this.#move = { kind: 'move', ...at };
    return false;
  }

  #up(event: PointerEvent): boolean {
    const at = this.#at(event);
    const touch = this.#touch;
    this.#touch = undefined;
    if (touch?.isScroll === true) return true;
    if (touch !== undefined) this.#press('down', at, 0);
    this.#press('up', at, touch === undefined ? event.button : 0);
    return true;
  }

  #wheel(event: WheelEvent): boolean {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? lineHeight : 1;
    this.#send({ kind: 'wheel', ...this.#at(event), dx: event.deltaX * unit, dy: event.deltaY * unit });
    return true;
  }

  #key(event: KeyboardEvent, kind: 'keydown' | 'keyup'): boolean {
    const { key } = event;
    event.stopPropagation();
    if (key === 'F6') {
      if (kind === 'keydown') document.getElementById('give-back')?.focus();
      return true;
    }
    // The text of an input method, and of most keyboards of phones, comes as a text.
    if (event.isComposing || /^(?:Process|Unidentified|Dead)$/.test(key)) return false;
    const modifiers = modifiersOf(event);
    const isShortcut = modifiers.length === 1 && modifiers[0] === 'Control';
    // The browser of the person has the text to paste.
    if (isShortcut && key === 'v') return false;
    if (isShortcut && (key === 'c' || key === 'x')) {
      if (kind === 'keydown') void this.#copy(key === 'x' ? 'cut' : 'copy');
      return true;
    }
    this.#send({ kind, key: key === 'Meta' && isMac ? 'Control' : key, modifiers });
    return true;
  }

  async #copy(kind: 'copy' | 'cut'): Promise<void> {
    this.#flush();
    const { text = '' } = await put(this.#session, { kind });
    if (text === '') return;
    try {
      await navigator.clipboard.writeText(text);
      announcement.value = 'Copied';
    } catch {
      // Without TLS, only pages of this machine may write to the clipboard.
      announcement.value = `Copied in the page only: ${text.slice(0, 100)}`;
    }
  }

  #paste(event: ClipboardEvent): boolean {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '') this.#send({ kind: 'paste', text });
    return true;
  }

  #text(text: string): boolean {
    if (text !== '') this.#send({ kind: 'text', text });
    this.#area.value = '';
    return true;
  }

  #input(event: InputEvent): boolean {
    if (event.isComposing || event.inputType === 'insertCompositionText') return false;
    if (event.inputType === 'insertText' && event.data !== null) return this.#text(event.data);
    this.#area.value = '';
    return true;
  }
}

/** Mouse, touch and keyboard for the live view. */
export function Surface({ session }: { readonly session: string }): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (area.current === null) return undefined;
    area.current.focus();
    return new Sender(session, area.current).listen();
  }, [session]);
  return (
    <textarea
      ref={area}
      class="surface"
      aria-label="The page. Mouse and keyboard go to it; F6 leaves it."
      autocomplete="off"
      spellcheck={false}
    />
  );
}
