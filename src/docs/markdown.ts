export function code(text: string): string {
  return `\`${text}\``;
}

/** A fenced code block, with a trailing newline. */
export function fenced(text: string, language = ''): string {
  return `\`\`\`${language}\n${text}\n\`\`\`\n`;
}

export function quote(text: string): string {
  return text.replaceAll(/^/gm, '> ');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

/**
 * `page` with the text between `<!-- name -->` and `<!-- /name -->` replaced by `body`. Returns the page unchanged except
 * for the section, so a test can compare the result with the file and `-u` can write it.
 */
export function withSection(page: string, name: string, body: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no section ${name}.`);
  return `${page.slice(0, from + start.length)}${body.trim()}\n${page.slice(to)}`;
}
