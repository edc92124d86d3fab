/** Characters of one message; the console log of a tab keeps fewer of a line. */
const longest = 100_000;
const mostArguments = 100;
/** The browser puts this before the text of an error. */
const uncaught = 'Uncaught ';
const cutMark = '… (cut)';

export interface TextLimit {
  /** The arguments with at most as many characters in all; the same array if nothing was cut. */
  readonly cut: (args: readonly unknown[]) => readonly unknown[];
  /** How many characters the arguments have. */
  readonly lengthOf: (args: readonly unknown[]) => number;
  /** The start of the text of a value that is too long; undefined if it is not. */
  readonly cutText: (value: unknown) => string | undefined;
}

/** `Error.isError` calls no code of the page, as `instanceof` may. Older browsers do not have it. */
interface ErrorConstructorWithCheck {
  readonly isError?: (value: unknown) => value is Error;
}

/** Finds and cuts long texts without calling functions that the page could replace. */
export function limitTexts(): TextLimit {
  const { Reflect } = globalThis;
  // Called with the text as `this`.
  // oxlint-disable-next-line typescript/unbound-method
  const { slice } = String.prototype;
  // Not in the type library of all supported versions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { isError = (_value: unknown): _value is Error => false } = Error as ErrorConstructorWithCheck;
  const { getOwnPropertyDescriptor } = Reflect;
  const stackOf = getOwnPropertyDescriptor(new Error('stack'), 'stack')?.get;

  /** A property, unless reading it would call the page. */
  const ownText = (error: Error, name: 'message' | 'stack'): string => {
    const property = getOwnPropertyDescriptor(error, name);
    const isNative = stackOf !== undefined && property?.get === stackOf;
    const value: unknown = isNative ? Reflect.apply(stackOf, error, []) : property?.value;
    return typeof value === 'string' ? value : '';
  };
  /** What the browser would send of a value. */
  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || !isError(value)) return '';
    const message = ownText(value, 'message');
    return message.length > longest ? message : ownText(value, 'stack');
  };
  const start = (text: string, length: number): string => `${Reflect.apply(slice, text, [0, length])}${cutMark}`;
  const lengthOf = (args: readonly unknown[]): number => {
    let length = 0;
    for (let index = 0; index < args.length; index++) length += textOf(args[index]).length;
    return length;
  };
  const cut = (args: readonly unknown[]): readonly unknown[] => {
    const kept: unknown[] = [];
    let left = longest;
    for (let index = 0; index < args.length && index < mostArguments; index++) {
      const text = textOf(args[index]);
      // `push` could be the page's.
      kept[index] = text.length > left ? start(text, left) : args[index];
      left = text.length > left ? 0 : left - text.length;
    }
    if (args.length > mostArguments) kept[mostArguments] = cutMark;
    return kept;
  };
  return {
    lengthOf,
    cut: (args) => (args.length > mostArguments || lengthOf(args) > longest ? cut(args) : args),
    cutText: (value) => {
      const text = textOf(value);
      if (text.length <= longest) return undefined;
      const isMarked = Reflect.apply(slice, text, [0, uncaught.length]) === uncaught;
      return start(isMarked ? Reflect.apply(slice, text, [uncaught.length]) : text, longest);
    },
  };
}
