const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const searchEvery = 1024;
const ellipsis = Buffer.from('…');

/** Where a chunk ends: outside of strings, in a string, or in the part of a string that is removed. */
type State = 'outside' | 'string' | 'removed';

/** Cuts the long strings of a JSON text that arrives in chunks. The result is valid JSON if the input is. */
export class StringCutter {
  readonly #longest: number;
  #state: State = 'outside';
  /** Bytes of the current escape sequence that are still to come, at most. */
  #escape = 0;
  #length = 0;

  /** @param longest bytes of a string, without its quotes */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The parts of the chunk that are kept, without copying them. */
  cut(chunk: Buffer): readonly Buffer[] {
    const kept: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'outside') {
        at = this.#toString(chunk, at);
      } else if (this.#state === 'string') {
        at = this.#throughString(chunk, at);
        if (this.#isRemoving()) kept.push(chunk.subarray(from, at), ellipsis);
      } else {
        at = this.#removeRest(chunk, at);
        from = at;
      }
    }
    if (!this.#isRemoving()) kept.push(chunk.subarray(from));
    return kept;
  }

  #isRemoving(): boolean {
    return this.#state === 'removed';
  }

  /** Goes behind the opening quote of the next string. */
  #toString(chunk: Buffer, start: number): number {
    const at = chunk.indexOf(quote, start);
    if (at === -1) return chunk.length;
    this.#state = 'string';
    this.#length = 0;
    return at + 1;
  }

  /** Goes behind the closing quote, or to the first byte that is removed. Does not split a character or an escape. */
  #throughString(chunk: Buffer, start: number): number {
    let escape = this.#escape;
    const mayCutAt = start + Math.max(0, this.#longest - this.#length);
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (escape === 0) {
        if (byte === quote) {
          this.#state = 'outside';
          this.#escape = 0;
          return at + 1;
        }
        if (at >= mayCutAt && !isContinuation(byte)) {
          this.#state = 'removed';
          this.#escape = 0;
          return at;
        }
      }
      escape = nextEscape(escape, byte);
    }
    this.#escape = escape;
    this.#length += chunk.length - start;
    return chunk.length;
  }

  /** Goes to the closing quote. Nearly all bytes of an oversized message pass here: text without escapes is skipped. */
  #removeRest(chunk: Buffer, start: number): number {
    let escape = this.#escape;
    let plainUntil = start;
    for (let at = start; at < chunk.length; at++) {
      if (escape === 0) {
        if (at >= plainUntil) {
          at = Math.min(indexOrEnd(chunk, quote, at), indexOrEnd(chunk, backslash, at));
          // A search per escape would be slower than a look at each byte.
          plainUntil = at + searchEvery;
        }
        if (chunk[at] === quote) {
          // The quote itself is kept; the string ends behind it.
          this.#state = 'string';
          this.#length = 0;
          this.#escape = 0;
          return at;
        }
      }
      escape = nextEscape(escape, chunk[at] ?? 0);
    }
    this.#escape = escape;
    return chunk.length;
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}

/** `\n` has one byte after the backslash, `\u0041` five; the first of them tells which. */
function nextEscape(escape: number, byte: number): number {
  if (escape === 0) return byte === backslash ? 5 : 0;
  return escape === 5 && byte !== letterU ? 0 : escape - 1;
}

/** A byte within a character of UTF-8. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
