import { estimateTokens } from '../../util/tokens.ts';
import type { Facts } from './response.ts';

/** Tokens for the envelope of the answer and the note about the cut. */
const reserve = 60;
const way = 'Request a smaller part of the page, or give a larger maxTokens.';

/**
 * Cuts data to a token budget: first the longest lists, then the longest text. `cut` reports what is missing. Lists of the
 * same length belong together and are cut together.
 */
export function fitData(data: Facts, maxTokens: number): Facts {
  const budget = maxTokens - reserve;
  if (costOf(data) <= budget) return data;
  const lists = Object.entries(data).filter(([, value]) => Array.isArray(value) && value.length > 1);
  const longest = Math.max(0, ...lists.map(([, value]) => lengthOf(value)));
  const together = lists.filter(([, value]) => lengthOf(value) === longest).map(([key]) => key);
  const shorter = (count: number): Facts => ({ ...data, ...cutAll(data, together, count) });
  const kept = most(longest, (count) => costOf(shorter(count)) <= budget);
  if (kept > 0) {
    const missing = `${kept} of ${longest} ${together.join(' and ')} are shown. ${way}`;
    return { ...shorter(kept), cut: missing };
  }
  const texts = Object.entries(data).filter(([, value]) => typeof value === 'string');
  const [text] = texts.toSorted(([, a], [, b]) => lengthOf(b) - lengthOf(a));
  if (text !== undefined) {
    const [key, value] = text;
    const length = most(lengthOf(value), (count) => costOf({ ...data, ...cutAll(data, [key], count) }) <= budget);
    const missing = `${length} of ${lengthOf(value)} characters of ${key} are shown. ${way}`;
    if (length > 0) return { ...data, ...cutAll(data, [key], length), cut: missing };
  }
  return { cut: `The answer would take about ${costOf(data)} tokens. ${way}` };
}

function costOf(data: Facts): number {
  return estimateTokens(JSON.stringify(data));
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) || typeof value === 'string' ? value.length : 0;
}

function cutAll(data: Facts, keys: readonly string[], count: number): Facts {
  const shortened = (value: unknown): unknown =>
    Array.isArray(value) || typeof value === 'string' ? value.slice(0, count) : value;
  return Object.fromEntries(keys.map((key) => [key, shortened(data[key])]));
}

/** The largest count from 0 to `limit` that fits, if all smaller ones do. */
function most(limit: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
