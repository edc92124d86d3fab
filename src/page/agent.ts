/**
 * The page agent: lives in the isolated world of every frame, where the page can neither see nor touch it.
 * It is compiled to a string and registered as a selector engine; a selector is an encoded command, the answer is the
 * text of a detached element. Self-contained: no imports, DOM types only.
 */

/** What the agent knows about its frame; plain JSON. */
export interface FrameState {
  /** Differs between documents, so that a clock of one is never compared with that of another. */
  readonly document: string;
  /** Counts everything seen to change: DOM mutations, input and change events. */
  readonly changes: number;
  /** The part of the changes that the page itself made to its DOM. */
  readonly mutations: number;
  /** Milliseconds since the last mutation other than of styles; -1 when there was none. */
  readonly quietMs: number;
  readonly title: string;
  readonly readyState: string;
  /** What password, one-time-code and card fields hold now: never to be shown. */
  readonly secrets: readonly string[];
  /** Such a field has the focus. */
  readonly isInSecret: boolean;
}

/** What Playwright asks of a selector engine. */
interface SelectorEngine {
  query(root: Node, selector: string): Element | undefined;
  queryAll(root: Node, selector: string): Element[];
}

export function pageAgent(): SelectorEngine {
  const secretFields =
    'input[type=password],input[autocomplete^=cc-],input[autocomplete=one-time-code],' +
    'input[autocomplete=current-password],input[autocomplete=new-password]';
  const id = Math.random().toString(36).slice(2);
  let events = 0;
  let mutations = 0;
  let lastMutation = -1;

  const observer = new MutationObserver((records) => {
    mutations += records.length;
    // Animations write styles for ever: they change the page, but they do not keep it busy.
    if (records.some((record) => record.attributeName !== 'style')) lastMutation = performance.now();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const event of ['input', 'change', 'toggle']) document.addEventListener(event, () => events++, true);

  const state = (): FrameState => ({
    document: id,
    changes: events + mutations,
    mutations,
    quietMs: lastMutation < 0 ? -1 : performance.now() - lastMutation,
    title: document.title,
    readyState: document.readyState,
    secrets: [...document.querySelectorAll<HTMLInputElement>(secretFields)]
      .map((field) => field.value)
      .filter((value) => value !== ''),
    isInSecret: document.activeElement?.matches(secretFields) === true,
  });

  const answer = (): Element => {
    const element = document.createElement('i');
    element.textContent = JSON.stringify(state());
    return element;
  };
  return { query: answer, queryAll: () => [answer()] };
}
