/**
 * Plain data with all its texts replaced, keys and errors too; other values are unchanged. A number whose digits are
 * replaced becomes a text.
 */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value === 'number') return mapNumber(value, map);
  if (value instanceof Error) return map(value.stack ?? value.message);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapTexts(item, map)]));
}

function mapNumber(value: number, map: (text: string) => string): number | string {
  const text = String(value);
  const shown = map(text);
  return shown === text ? value : shown;
}
