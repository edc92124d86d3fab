import type { Option, OptionKind } from '../options.ts';
import type { OptionMeta } from '../schema/option-meta.ts';
import type { Setting } from './setting.ts';

/** The settings for the given texts: the option itself, or those that a word implies. */
export function settingsOfTexts(
  option: Option,
  texts: readonly string[],
  key: string,
  options: readonly Option[],
): readonly Setting[] {
  const word = option.meta.words?.[(texts.at(-1) ?? '').trim()];
  if (word === undefined) return [{ option, value: valueOfTexts(option, texts), key }];
  return options
    .filter(({ path }) => Object.hasOwn(word, path))
    .map((meant) => ({ option: meant, value: word[meant.path], key }));
}

type Reading = (texts: readonly string[], option: Option) => unknown;

const lastText: Reading = (texts) => texts.at(-1) ?? '';
/** An empty text resets what a weaker source has set. */
const textOrNothing: Reading = (texts) => (texts.at(-1)?.trim() === '' ? undefined : texts.at(-1));

const readings: Readonly<Record<OptionKind, Reading>> = {
  boolean: (texts) => booleanOf(texts.at(-1) ?? ''),
  number: (texts) => numberOf(texts.at(-1) ?? ''),
  size: (texts) => sizeOf(texts.at(-1) ?? ''),
  list: (texts, { meta }) =>
    listOf(
      texts.flatMap((text) => items(text, meta.separator ?? ',')),
      meta,
    ),
  pairs: (texts) => Object.fromEntries(texts.map(pairOf)),
  string: textOrNothing,
  choice: lastText,
  free: lastText,
};

/**
 * Converts texts of flags or variables to a value. A text that cannot be converted is returned as it is, so that the
 * error can show it.
 */
export function valueOfTexts(option: Option, texts: readonly string[]): unknown {
  return readings[option.kind](texts, option);
}

function numberOf(text: string): unknown {
  return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}

function booleanOf(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return text;
}

function sizeOf(text: string): unknown {
  const match = /^\s*(\d+)\s*[x,]\s*(\d+)\s*$/i.exec(text);
  return match === null ? text : { width: Number(match[1]), height: Number(match[2]) };
}

/** Without an address there is no endpoint: an empty text resets what a weaker source has set. */
function listOf(texts: readonly string[], { separator }: OptionMeta): readonly string[] | undefined {
  return separator === 'url' && texts.length === 0 ? undefined : texts;
}

const urlSeparator = /,(?=\s*[a-z]+:\/\/)/i;

function items(text: string, separator: NonNullable<OptionMeta['separator']>): readonly string[] {
  if (separator === 'none') return [text];
  return text
    .split(separator === 'url' ? urlSeparator : separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function pairOf(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon === -1) return [text.trim(), ''];
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
