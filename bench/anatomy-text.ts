import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** What a person can read on the page: its texts, and what stands in its fields. Runs in the page. */
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

/** Words without the quotes and colons that a snapshot puts around them. */
function words(text: string): readonly string[] {
  return text
    .replaceAll(/["'|]/g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/:$/, ''))
    .filter((word) => word !== '' && word !== '-');
}

/**
 * Tokens of the words of a snapshot that stand on the page. Each word of the page counts once, so that a name that a
 * snapshot repeats, and a role that is also a word of the page, are not taken for text.
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
