/** What Chromium draws: outer and inner quotation marks by language, where they are not those of English. */
const byLanguage: ReadonlyMap<string, string> = new Map([
  ['ar', '” “ ’ ‘'],
  ['bg', '„ “ „ “'],
  ['ca', '« » “ ”'],
  ['cs', '„ “ ‚ ‘'],
  ['de', '„ “ ‚ ‘'],
  ['el', '« » “ ”'],
  ['et', '„ “ ‚ ‘'],
  ['fa', '« » ‹ ›'],
  ['fi', '” ” ’ ’'],
  ['fr', '« » « »'],
  ['fr-ca', '« » ” “'],
  ['fr-ch', '« » ‹ ›'],
  ['he', '” ” ’ ’'],
  ['hr', '„ “ ‚ ‘'],
  ['hu', '„ ” » «'],
  ['it', '« » “ ”'],
  ['ja', '「 」 『 』'],
  ['lt', '„ “ „ “'],
  ['nb', '« » ‘ ’'],
  ['nl', '‘ ’ ‘ ’'],
  ['no', '« » ‘ ’'],
  ['pl', '„ ” « »'],
  ['pt-pt', '« » “ ”'],
  ['ro', '„ ” « »'],
  ['ru', '« » „ “'],
  ['sk', '„ “ ‚ ‘'],
  ['sl', '„ “ ‚ ‘'],
  ['sr', '„ ” ’ ’'],
  ['sv', '” ” ’ ’'],
  ['uk', '« » „ “'],
  ['zh-hant', '「 」 『 』'],
]);
const english = '“ ” ‘ ’';

/** The mark that `open-quote` or `close-quote` draws, at this depth of quotations. */
export function quotationMark(quotes: string, language: string, depth: number, isOpening: boolean): string {
  if (quotes === 'none') return '';
  const written = [...quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, mark = '']) => mark.replaceAll(/\\(.)/g, '$1'));
  const code = language.toLowerCase();
  const usual = byLanguage.get(code) ?? byLanguage.get(code.split('-')[0] ?? '') ?? english;
  const marks = written.length > 0 ? written : usual.split(' ');
  const pair = Math.min(depth, marks.length / 2 - 1) * 2;
  return marks[isOpening ? pair : pair + 1] ?? '';
}
