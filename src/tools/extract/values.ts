import type { RawValue } from '../../page/extract/request.ts';
import type { PlannedField, PlannedPart } from './plan.ts';

export type Value = string | number | boolean | null;
export type Item = Readonly<Record<string, unknown>>;

/** An item with its values in their types, at their places. */
export function itemOf(fields: PlannedPart['fields'], raw: Readonly<Record<string, RawValue>>): Item {
  const item: Record<string, unknown> = {};
  for (const field of fields) put(item, field.path, valueOf(field, raw[field.key] ?? null));
  return item;
}

function valueOf(field: PlannedField, raw: RawValue): Value | readonly Value[] {
  if (field.isList) {
    const all = Array.isArray(raw) ? raw.map(String) : raw === null ? [] : [String(raw)];
    return all.map((text) => typed(field, text)).filter((value) => value !== null);
  }
  return typeof raw === 'string' ? typed(field, raw) : null;
}

function put(item: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  const known: unknown = Object.hasOwn(item, key) ? item[key] : undefined;
  const inner: Record<string, unknown> = typeof known === 'object' && known !== null ? { ...known } : {};
  if (rest.length > 0) put(inner, rest, value);
  // A field may be called __proto__.
  const property = { value: rest.length > 0 ? inner : value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(item, key, property);
}

function typed({ valueType, choices }: PlannedField, text: string): Value {
  if (valueType === 'number') return numberIn(text);
  if (valueType === 'integer') {
    const number = numberIn(text);
    return number === null ? null : Math.round(number);
  }
  if (valueType === 'boolean') return truthOf(text);
  if (text === '') return null;
  return choices === undefined ? text : choiceIn(text, choices);
}

function choiceIn(text: string, choices: readonly string[]): string | null {
  const low = text.toLowerCase();
  const exact = choices.find((choice) => choice.toLowerCase() === low);
  return exact ?? choices.find((choice) => low.includes(choice.toLowerCase())) ?? null;
}

const numeral = /[-−]?\d[\d.,'’\s]*(?:[kKM](?![\p{L}\p{N}]))?/u;

/** The first number in a text, in English or continental notation; null if there is none. */
export function numberIn(text: string): number | null {
  const [found] = numeral.exec(text) ?? [];
  if (found === undefined) return null;
  const unit = /[kK]$/.test(found) ? 1000 : found.endsWith('M') ? 1_000_000 : 1;
  const digits = found
    .replace(/[kKM]$/, '')
    // A space separates thousands, otherwise it begins another number.
    .replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '')
    .replace(/[\s'’].*$/s, '')
    .replace('−', '-')
    .replace(/[.,]+$/, '');
  const value = Number(plainNotation(digits)) * unit;
  return Number.isFinite(value) ? value : null;
}

function plainNotation(digits: string): string {
  const [comma, dot] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma >= 0 && dot >= 0) {
    return comma > dot ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  }
  if (comma >= 0) return /^-?\d{1,3}(?:,\d{3})+$/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.');
  return /^-?\d{1,3}(?:\.\d{3}){2,}$/.test(digits) ? digits.replaceAll('.', '') : digits;
}

const no =
  /^(?:false|no|0|off|none|nein|non|✗|✘|×)$|\b(?:not|out of stock|sold out|unavailable|ausverkauft|nicht|épuisé|agotado)\b/iu;
const yes =
  /^(?:true|yes|1|on|ja|oui|sí|si|✓|✔|☑)$|\b(?:in stock|available|in ?stock|auf lager|lieferbar|en stock|disponible)\b|\bInStock$/iu;

export function truthOf(text: string): boolean | null {
  if (no.test(text.trim())) return false;
  return yes.test(text.trim()) ? true : null;
}

/** The fields without a value, with the number of items that lack it. */
export function missingIn(fields: PlannedPart['fields'], items: readonly Item[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key, path } of fields) {
    const lacking = items.filter((item) => isEmpty(at(item, path))).length;
    if (lacking > 0) counts.set(key, lacking);
  }
  return counts;
}

function at(item: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    item,
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
