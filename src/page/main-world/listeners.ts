const dropEvents = ['dragenter', 'dragover', 'drop'] as const;
const pressEvents = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick', 'contextmenu'] as const;
const dragEvents = ['mousedown', 'pointerdown', 'touchstart', 'dragstart'] as const;
const watchedEvents = [...new Set([...dropEvents, ...pressEvents, ...dragEvents])];
const watched: ReadonlySet<string> = new Set(watchedEvents);
/** The kinds of listeners that are reported. */
const kinds: readonly (readonly [name: string, types: readonly string[]])[] = [
  ['drop', dropEvents],
  ['press', pressEvents],
  ['drag', dragEvents],
];
const capturing = 1;
const bubbling = 2;
const both = capturing | bubbling;

type Note = (target: unknown, type: string, options?: unknown) => void;

/**
 * Wraps `addEventListener` and the setters of `ondrop` and similar properties in the page's main world, to know which
 * elements accept drops, clicks or the start of a drag: the isolated world cannot see listeners. The returned function dispatches an event on each
 * connected element that it has not reported before; with `again`, also on the others.
 *
 * A removed listener is not noticed: the element stays a drop target.
 */
export function watchListeners(answer: string): (again: boolean) => void {
  // The page may replace these later.
  const { CustomEvent, Element, WeakMap, WeakRef } = globalThis;
  // Called with the element as `this`.
  // oxlint-disable-next-line typescript/unbound-method
  const { dispatchEvent } = EventTarget.prototype;
  const phases = new WeakMap<Element, Record<string, number>>();
  const waiting = new Set<WeakRef<Element>>();
  const reported = new Set<WeakRef<Element>>();

  replaceListeners((target, type, options) => {
    if (!(target instanceof Element)) return;
    const known = phases.get(target);
    const seen = known ?? {};
    const before = kindsOf(seen).length;
    seen[type] = (seen[type] ?? 0) | phaseOf(options);
    if (known === undefined) phases.set(target, seen);
    if (kindsOf(seen).length !== before) waiting.add(new WeakRef(target));
  });

  /** A framework that delegates events listens on its container in both phases. */
  const isDelegate = (element: Element): boolean => {
    const seen = phases.get(element) ?? {};
    return dropEvents.every((type) => seen[type] === both) || pressEvents.every((type) => seen[type] === both);
  };
  const dispatch = (element: Element, detail: string): unknown =>
    Reflect.apply(dispatchEvent, element, [new CustomEvent(answer, { composed: true, detail })]);
  const report = (ref: WeakRef<Element>): void => {
    const element = ref.deref();
    if (element?.isConnected === false) return;
    waiting.delete(ref);
    if (element === undefined || isDelegate(element)) return;
    reported.add(ref);
    const seen = phases.get(element) ?? {};
    for (const kind of kindsOf(seen)) dispatch(element, kind);
  };
  return (again) => {
    if (waiting.size === 0 && !again) return;
    // Without this, the references of a page that renders its targets again and again would accumulate.
    for (const ref of reported) if (ref.deref() === undefined) reported.delete(ref);
    for (const ref of [...waiting, ...(again ? reported : [])]) report(ref);
  };
}

/** An error here must not reach the page: its listener has been added. */
function quietly(note: Note): Note {
  return (target, type, options) => {
    try {
      note(target, type, options);
    } catch {
      // The page replaced a built-in method; the target is not known then.
    }
  };
}

/** The kinds of listeners that an element has. */
function kindsOf(seen: Readonly<Record<string, number>>): readonly string[] {
  return kinds.filter(([, types]) => types.some((type) => seen[type] !== undefined)).map(([name]) => name);
}

/** A proxy of a native function looks like the native function. */
function replaceListeners(onTarget: Note): void {
  const note = quietly(onTarget);
  // A proxy passes `this` on.
  // oxlint-disable-next-line typescript/unbound-method
  EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply: (add, self, args: unknown[]) => {
      const result: unknown = Reflect.apply(add, self, args);
      const [type, listener, options] = args;
      if (typeof type === 'string' && watched.has(type) && listener !== null) note(self, type, options);
      return result;
    },
  });
  for (const prototype of [HTMLElement.prototype, SVGElement.prototype])
    for (const type of watchedEvents) replaceSetter(prototype, type, note);
}

function replaceSetter(prototype: object, type: string, note: Note): void {
  const property = Object.getOwnPropertyDescriptor(prototype, `on${type}`);
  if (property?.set === undefined) return;
  // oxlint-disable-next-line typescript/unbound-method
  const set = new Proxy(property.set, {
    apply: (original, self, args: unknown[]) => {
      const result: unknown = Reflect.apply(original, self, args);
      if (typeof args[0] === 'function') note(self, type);
      return result;
    },
  });
  Object.defineProperty(prototype, `on${type}`, { ...property, set });
}

function phaseOf(options: unknown): number {
  const isObject = typeof options === 'object' && options !== null;
  const isCapturing = isObject ? 'capture' in options && Boolean(options.capture) : Boolean(options);
  return isCapturing ? capturing : bubbling;
}
