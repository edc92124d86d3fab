/** What has changed in the document since the agent came to it. */
export interface ChangeClock {
  readonly events: number;
  readonly mutations: number;
  readonly quietMs: number;
}

export interface Clock {
  read(): ChangeClock;
  /** Mutations inside a shadow root are seen only by who watches it. */
  watch(root: Document | ShadowRoot): void;
}

/** Watches the document from now on; others can be told of the same mutations. */
export function startClock(document: Document, onMutations: (records: readonly MutationRecord[]) => void): Clock {
  let events = 0;
  let mutations = 0;
  let lastMutation = -1;
  const observer = new MutationObserver((records) => {
    mutations += records.length;
    onMutations(records);
    // Animations write styles for ever: they change the page, but they do not keep it busy.
    if (records.some((record) => record.attributeName !== 'style')) lastMutation = performance.now();
  });
  const watch = (root: Document | ShadowRoot): void =>
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  watch(document);
  // What a person or a script does to a field is in no attribute.
  for (const event of ['input', 'change', 'toggle']) document.addEventListener(event, () => events++, true);
  const read = (): ChangeClock => ({
    events,
    mutations,
    quietMs: lastMutation < 0 ? -1 : performance.now() - lastMutation,
  });
  return { read, watch };
}
