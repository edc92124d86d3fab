import type { ToolHandle } from '../../session/compat/playwright-backend.ts';

interface WaitArguments {
  readonly time?: number;
  readonly text?: string;
  readonly textGone?: string;
}

const mostSeconds = 30;

/** `browser_wait_for` of @playwright/mcp: waits for all that is given, where newer versions wait for the first of them. */
const waitFor: ToolHandle = async (state, args, response) => {
  // The schema of the tool has checked them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { time: wanted = 0, text = '', textGone = '' } = args as WaitArguments;
  if (text === '' && textGone === '' && wanted === 0) throw new Error('Either time, text or textGone must be provided');
  const time = Math.min(mostSeconds, wanted);
  if (time !== 0) {
    response.addCode(`await new Promise(f => setTimeout(f, ${time} * 1000));`);
    await new Promise((resolve) => setTimeout(resolve, time * 1000));
  }
  const { page, actionTimeoutOptions } = state.currentTabOrDie();
  for (const [awaited, condition] of [
    [textGone, 'hidden'],
    [text, 'visible'],
  ] as const) {
    if (awaited === '') continue;
    response.addCode(`await page.getByText(${JSON.stringify(awaited)}).first().waitFor({ state: '${condition}' });`);
    await page
      .getByText(awaited)
      .first()
      .waitFor({ state: condition, ...actionTimeoutOptions });
  }
  const limit = time === wanted ? '' : ` (requested ${wanted}, maximum is ${mostSeconds})`;
  response.addTextResult(`Waited for ${text || textGone || `${time} seconds${limit}`}`);
  response.setIncludeSnapshot();
};

/** Tools in place of Playwright's, by name. */
export const replacedTools: Readonly<Partial<Record<string, ToolHandle>>> = { browser_wait_for: waitFor };
