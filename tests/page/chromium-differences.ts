import type { Compared } from './chromium.ts';

/** A way in which our roles and names differ from Chromium's accessibility tree on purpose. */
export interface ChromiumDifference {
  readonly why: string;
  readonly covers: (one: Compared) => boolean;
}

const roleIn = (text: string): string => text.split(' ')[0] ?? '';
const nameIn = (text: string): string => text.slice(roleIn(text).length + 1);

export const chromiumDifferences: readonly ChromiumDifference[] = [
  {
    why: 'cells and headers of tables: their content is printed, and a name would repeat it',
    covers: ({ theirs, ours }) =>
      /^(?:cell|gridcell|columnheader|rowheader|row)$/.test(roleIn(theirs)) &&
      roleIn(theirs) === roleIn(ours) &&
      nameIn(ours) === '',
  },
  {
    why: 'the caption of an input button is what a person sees on it; Chromium and the specification prefer its label',
    covers: ({ theirs, ours, html }) =>
      /^<input[^>]*type="?(?:submit|reset|button)/.test(html) && roleIn(theirs) === roleIn(ours),
  },
  {
    why: 'transparent text is left out of names, because no one sees it',
    covers: ({ theirs, ours, written }) => roleIn(theirs) === roleIn(ours) && nameIn(theirs) === written,
  },
  {
    why: 'the values of CSS counters, which Chromium leaves out',
    covers: ({ theirs, ours, written }) =>
      roleIn(theirs) === roleIn(ours) && written !== undefined && nameIn(theirs).includes(written),
  },
  {
    why: 'text-transform: capitalize: Chromium takes a field in front of a word for its beginning',
    covers: ({ theirs, ours, written }) => written !== undefined && theirs.toLowerCase() === ours.toLowerCase(),
  },
  {
    why: 'spaces between boxes: Chromium separates more of them',
    covers: ({ theirs, ours }) => theirs.replaceAll(' ', '') === ours.replaceAll(' ', ''),
  },
];
