import { linkTo } from './report.ts';
import type { AnswerForm, Report } from './report.ts';
import type { Response } from './response.ts';

/** The report of a call that does not show the page, in any form. `effects` lists side effects. */
export async function plainReport(response: Response, form: AnswerForm, effects: readonly string[]): Promise<Report> {
  const { images, lines, notes, sentences, structured } = response;
  const files = response.files.map(linkTo);
  const report = { form, images, files, code: [], modals: [], events: [] };
  if (form === 'verbatim') {
    return { ...report, files: [], images: [], result: [], ...(response.verbatim && { verbatim: response.verbatim }) };
  }
  const further = [...effects, ...notes];
  if (form === 'sections') {
    return { ...report, result: [...sentences, ...lines], notes: further, ...(structured && { data: structured }) };
  }
  const said = [...sentences, ...response.asides];
  if (form === 'sentences') return { ...report, result: [...(said.length === 0 ? lines : said), ...further] };
  const facts = structured ?? (await response.known?.()) ?? { message: [...said, ...lines].join('\n') };
  return { ...report, result: [], data: further.length === 0 ? facts : { ...facts, notes: further } };
}
