const width = 120;

/** JSON as the formatter leaves it: a list of plain values is on one line where it fits. */
export function formattedJson(value: unknown): string {
  return `${lines(value, '', 0)}\n`;
}

function lines(value: unknown, indent: string, taken: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const inline = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    const isPlain = value.every((item) => typeof item !== 'object' || item === null);
    if (value.length === 0 || (isPlain && indent.length + taken + inline.length < width)) return inline;
    return `[\n${value.map((item) => `${inner}${lines(item, inner, 0)}`).join(',\n')}\n${indent}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const fields = entries.map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${inner}${name}${lines(item, inner, name.length)}`;
  });
  return `{\n${fields.join(',\n')}\n${indent}}`;
}
