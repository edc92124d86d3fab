/** Changes of the document since the agent was installed. */
export interface ChangeClock {
  readonly events: number;
  readonly mutations: number;
  readonly quietMs: number;
  /** Milliseconds since the last mutation, style change or motion, which may move an element. */
  readonly stillMs: number;
  /** Milliseconds since the page got more elements. */
  readonly grownMs: number;
}

export interface Clock {
  read(): ChangeClock;
  /** Running transitions and animations; the document does not list those in shadow roots. */
  motions(): readonly Animation[];
  /** Mutations inside a shadow root need their own observer. */
  watch(root: Document | ShadowRoot): void;
}

/** Watches the document from now on, and passes its mutations on. */
export function startClock(document: Document, onMutations: (records: readonly MutationRecord[]) => void): Clock {
  let events = 0;
  let mutations = 0;
  let lastMutation = -1;
  // Earlier changes are unknown.
  let lastMove = performance.now();
  let lastGrowth = performance.now();
  const move = (): void => {
    lastMove = performance.now();
  };
  const observer = new MutationObserver((records) => {
    mutations += records.length;
    onMutations(records);
    move();
    if (isGrowth(records)) lastGrowth = performance.now();
    // Animations write styles indefinitely: they change the page, but do not keep it busy.
    if (records.some((record) => record.attributeName !== 'style')) lastMutation = performance.now();
  });
  /** Removed when their elements are. */
  const roots = new Set<WeakRef<Document | ShadowRoot>>();
  const watch = (root: Document | ShadowRoot): void => {
    roots.add(new WeakRef(root));
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  const motions = (): readonly Animation[] => {
    const running: Animation[] = [];
    for (const ref of roots) {
      const root = ref.deref();
      if (root === undefined) roots.delete(ref);
      else running.push(...root.getAnimations().filter(({ playState }) => playState === 'running'));
    }
    return running;
  };
  watch(document);
  // The value of a field changes without a mutation.
  for (const event of ['input', 'change', 'toggle']) document.addEventListener(event, () => events++, true);
  document.addEventListener('scroll', move, true);
  window.addEventListener('resize', move);
  const read = (): ChangeClock => ({
    events,
    mutations,
    quietMs: lastMutation < 0 ? -1 : performance.now() - lastMutation,
    stillMs: performance.now() - lastMove,
    grownMs: performance.now() - lastGrowth,
  });
  return { read, watch, motions };
}

/** Whether more nodes were added than removed. A clock or a carousel replaces what it shows. */
function isGrowth(records: readonly MutationRecord[]): boolean {
  let growth = 0;
  for (const { addedNodes, removedNodes } of records) growth += addedNodes.length - removedNodes.length;
  return growth > 0;
}
