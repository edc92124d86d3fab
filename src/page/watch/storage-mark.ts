/** Characters of a value that count; of a longer one, as many at its start and its end, and its length. */
const longestValue = 1000;
const mostItems = 500;

/**
 * A number that changes with the storage of the page's origin; 0 in a frame, and where there is no storage. The browser
 * reports changes of localStorage only after a message to another process, which may be after the answer of the action.
 */
export function storageMark(): number {
  if (globalThis.top !== globalThis.self) return 0;
  try {
    return marked(sessionStorage, marked(localStorage, 1));
  } catch {
    // Documents without an origin of their own may use neither.
    return 0;
  }
}

function marked(storage: Storage, before: number): number {
  let mark = mixed(before, String(storage.length));
  for (let at = 0; at < storage.length && at < mostItems; at++) {
    const name = storage.key(at) ?? '';
    mark = mixed(mixed(mark, name), storage.getItem(name) ?? '');
  }
  return mark;
}

/** FNV-1a, over the units of the text. */
function mixed(before: number, text: string): number {
  const ends = `${text.slice(0, longestValue)}${text.length}${text.slice(-longestValue)}`;
  const counted = text.length > 2 * longestValue ? ends : text;
  let mark = before;
  for (let at = 0; at < counted.length; at++) mark = Math.imul(mark ^ counted.charCodeAt(at), 0x01_00_01_93);
  // So that `ab` and `c` differ from `a` and `bc`.
  return Math.imul(mark ^ counted.length, 0x01_00_01_93);
}
