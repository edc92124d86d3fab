import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The readable text of the page: visible text and field values. Runs in the page. */
export const visibleTextSource = `() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const isShown = parent.tagName === 'OPTION' ? parent.selected || parent.parentElement.multiple : parent.checkVisibility();
    if (isShown) texts.push(node.data);
  }
  for (const field of document.querySelectorAll('input, textarea')) {
    if (['checkbox', 'radio', 'password', 'hidden', 'file', 'color', 'range'].includes(field.type)) continue;
    if (field.tagName === 'INPUT' || field.value !== field.defaultValue) texts.push(field.value || field.placeholder);
  }
  return texts.join(' ');
}`;

/** Splits into words, without a snapshot's quotes and colons. */
function words(text: string): readonly string[] {
  return text
    .replaceAll(/["'|]/g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/:$/, ''))
    .filter((word) => word !== '' && word !== '-');
}

/**
 * Tokens of a snapshot that are words of the page. Each word of the page counts once, so that repeated names and role
 * names are not counted as text.
 */
export function visibleTokens(snapshot: string, pageText: string): number {
  const left = new Map<string, number>();
  for (const word of words(pageText)) left.set(word, (left.get(word) ?? 0) + 1);
  const shown = snapshot.replaceAll(/\[[a-z]+(?:=[^\]]*)?\]/g, ' ');
  let tokens = 0;
  for (const word of words(shown)) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    tokens += countTokens(` ${word}`);
  }
  return tokens;
}
