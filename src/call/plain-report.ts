import type { AnswerForm, Report } from './report.ts';
import type { Response } from './response.ts';

/** What a call answers without a look at the page, in any form. `told` is what happened besides. */
export async function plainReport(response: Response, form: AnswerForm, told: readonly string[]): Promise<Report> {
  const { images, lines, notes, sentences, structured } = response;
  const report = { form, images, code: [], modals: [], events: [] };
  const further = [...told, ...notes];
  if (form === 'sections') {
    return { ...report, result: [...sentences, ...lines], notes: further, ...(structured && { data: structured }) };
  }
  const said = [...sentences, ...response.asides];
  if (form === 'sentences') return { ...report, result: [...(said.length === 0 ? lines : said), ...further] };
  const facts = structured ?? (await response.known?.()) ?? { message: [...said, ...lines].join('\n') };
  return { ...report, result: [], data: further.length === 0 ? facts : { ...facts, notes: further } };
}
