import type { Hands } from './hands.ts';

export const areas = [
  'forms',
  'lists',
  'calendars',
  'trees',
  'sliders',
  'drags',
  'text',
  'dialogs',
  'frames',
  'menus',
  'icons',
] as const;
export type Area = (typeof areas)[number];

/** The state that a page posts when it is left. */
export type Outcome = Readonly<Record<string, unknown>>;

/** A small page, a goal, the rule that reaches the goal, and the state of the page that proves it. */
export interface EvalTask {
  /** Unique; part of the URL. */
  readonly id: string;
  readonly goal: string;
  /** The content of the body. Scripts assign `outcome`, a function that returns the state. */
  readonly body: string;
  readonly style?: string;
  /** Libraries that the page loads. */
  readonly libraries?: readonly Library[];
  /** Further documents, by path relative to the page. */
  readonly documents?: Readonly<Record<string, string>>;
  /** Uses only what the answers show. */
  run(hands: Hands): Promise<void>;
  /** The parts of the state that must be as given. */
  readonly expected: Outcome;
}

export interface PlacedTask extends EvalTask {
  readonly area: Area;
}

/** Libraries that pages can load, from the development dependencies. */
export const libraries = {
  jquery: 'jquery/dist/jquery.min.js',
  'jquery-ui': 'jquery-ui/dist/jquery-ui.min.js',
  sortable: 'sortablejs/Sortable.min.js',
} as const;
export type Library = keyof typeof libraries;
