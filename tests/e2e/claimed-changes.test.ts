import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { ToolCall } from '../../bench/eval/adapters.ts';
import { EvalSite } from '../../bench/eval/eval-site.ts';
import { Hands } from '../../bench/eval/hands.ts';
import type { ToolAnswer } from '../../bench/eval/hands.ts';
import { areas } from '../../bench/eval/task.ts';
import { allTasks } from '../../bench/eval/tasks/all.ts';
import { casesOf, isLongRun } from '../extent.ts';
import { answerOf, expect, testWith } from '../fixtures.ts';
import type { Answer, CallRaw } from '../fixtures.ts';
import { differingPixels, newestPage, screenshotOf, writePageCollector } from '../page-screenshots.ts';
import type { Screenshot } from '../page-screenshots.ts';
import { animationPages } from '../site/animation-libraries.ts';
import { zoo } from '../site/zoo.ts';

const folder = mkdtempSync(join(tmpdir(), 'helm-claims-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const test = testWith([`--init-page=${writePageCollector(join(folder, 'collect.mjs'))}`]);

const looks = new Set(['browser_navigate', 'browser_snapshot', 'browser_wait_for']);
/** The result of these tools is what they did to the page: typed, filled in, selected, scrolled. */
const reporters = new Set([
  'browser_type',
  'browser_fill_form',
  'browser_select_option',
  'browser_select_text',
  'browser_scroll',
]);
const cautious = 'No text or control changed.';
/** Fences and quotes hold text of the page. */
const pageTexts = /```[\s\S]*?```|"(?:[^"\\\n]|\\.)*"/g;
const denials = /\b(?:nothing|no|not|without)\b[^.\n]*\b(?:visibl|chang|effect|happen)|\bunchanged\b/i;
const withRef =
  /\b(?:button|checkbox|radio|switch|tab|menuitem|option|link|generic)\b[^[\n]*(?:\[(?!ref=)[^\]]*\] ?)*\[ref=(\w+)\]/g;
const mostClicks = 8;

type Claim = 'too much' | 'nothing' | 'cautious' | 'reported';

/** What an answer says about changes of the page. */
function claimOf(tool: string, answer: Answer): Claim {
  if (answer.isError) return 'reported';
  const ours = answer.text.replaceAll(pageTexts, '""');
  const rest = ours.replaceAll(cautious, '');
  if (denials.test(rest)) return 'too much';
  if (ours.includes(cautious)) return 'cautious';
  if (reporters.has(tool) || /^```(?:diff|yaml)$/m.test(answer.text)) return 'reported';
  const lines = ours.split('\n').filter((line) => line !== '' && !line.startsWith('### '));
  return lines.some((line) => !/^(?:Successfully |await |""$)/.test(line)) ? 'reported' : 'nothing';
}

/** Takes a screenshot after each action and compares it with the one before. */
class ClaimChecker {
  readonly problems: string[] = [];
  readonly #callRaw: CallRaw;
  #before: Screenshot | undefined;

  constructor(callRaw: CallRaw) {
    this.#callRaw = callRaw;
  }

  async call({ name, args }: ToolCall): Promise<ToolAnswer> {
    const answer = await this.#callRaw(name, args);
    const after = await screenshotOf(newestPage());
    if (!looks.has(name)) this.#judge(`${name} ${JSON.stringify(args)}`, claimOf(name, answer), answer, after);
    this.#before = after;
    return answer;
  }

  /** Clicks elements with a ref; after one that leads elsewhere, the page is opened again. */
  async clickAll(url: string): Promise<void> {
    let refs: readonly string[] = [];
    for (let at = 0; at < mostClicks; at += 1) {
      if (refs.length === 0 || newestPage()?.url() !== url) {
        const { text } = await this.call({ name: 'browser_navigate', args: { url } });
        refs = [...text.matchAll(withRef)].map(([, ref = '']) => ref);
      }
      const ref = refs[at];
      if (ref === undefined) return;
      await this.call({ name: 'browser_click', args: { ref } });
    }
  }

  #judge(action: string, claim: Claim, { text }: Answer, after: Screenshot | undefined): void {
    total.actions += 1;
    if (claim === 'too much') this.problems.push(`${action} claims that nothing changed:\n${text}`);
    const pixels = differingPixels(this.#before, after);
    if (pixels === undefined) return;
    total.compared += 1;
    const isDifferent = pixels > 0;
    if (claim === 'cautious') {
      total.cautious += 1;
      if (isDifferent) total.different += 1;
    }
    if (claim === 'nothing' && isDifferent)
      this.problems.push(`${action} names no change, ${pixels} pixels differ:\n${text}`);
  }
}

const restyledPage = (script: string): string =>
  `<style>#box { position: absolute; left: 20px; top: 200px } .framed { border: 3px solid }</style>
  <button onclick="${script}">Go</button><div id="box">Parcel</div><p id="words">Some words</p>
  <canvas id="paper" width="50" height="50"></canvas><svg width="20" height="20"><rect id="shape" width="20" height="20"/></svg>
  <div id="list" style="height: 50px; overflow: auto"><div style="height: 250px">Long</div></div>`;

/** Pages with changes that are no text and no control. */
const restyled: Readonly<Record<string, () => string>> = {
  bold: () => restyledPage("words.style.fontWeight = 'bold'"),
  colour: () => restyledPage("words.style.color = 'red'"),
  background: () => restyledPage("document.body.style.background = 'navy'"),
  size: () => restyledPage("words.style.fontSize = '40px'"),
  faded: () => restyledPage('words.style.opacity = 0.4'),
  moved: () => restyledPage("box.style.left = '120px'"),
  drawn: () => restyledPage("paper.getContext('2d').fillRect(5, 5, 9, 9)"),
  scrolled: () => restyledPage('list.scrollTop = 100'),
  selected: () => restyledPage('getSelection().selectAllChildren(words)'),
  drawing: () => restyledPage("shape.setAttribute('fill', 'green')"),
  class: () => restyledPage("words.className = 'framed'"),
};

const sampled = new Set(['bold-word', 'native-range', 'html5-drop']);

test.for([
  ['too much', 'Successfully clicked element: a\nNothing visible changed.'],
  ['too much', 'Successfully clicked element: a\nThe page is unchanged.'],
  ['nothing', 'Successfully clicked element: button "Nothing changed"'],
  ['cautious', 'Successfully clicked element: a\nNo text or control changed.'],
  ['reported', 'Successfully clicked element: a\nThe canvas was drawn on.'],
  ['reported', 'Successfully clicked element: a\n### Changes\n```diff\n+ text: Nothing changed\n```'],
] as const)('the reporter reads how much an answer claims: %s', ([claim, text]) => {
  expect(claimOf('browser_click', answerOf({ content: [{ type: 'text', text: `### Result\n${text}` }] }))).toBe(claim);
});

/** Of all tests in this file. */
const total = { actions: 0, compared: 0, cautious: 0, different: 0 };
afterAll(() => {
  const { actions, compared, cautious: said, different } = total;
  process.stdout.write(
    `${actions} actions, ${compared} compared by screenshots. ${said} answers say "${cautious}": ${different} with different screenshots.\n`,
  );
});

const tasks = casesOf(allTasks, ({ id }) => sampled.has(id));
test.for(areas.filter((area) => tasks.some((task) => task.area === area)))(
  'no answer says that nothing changed where screenshots of before and after differ, in the tasks with %s',
  async (area, { callRaw }) => {
    const checker = new ClaimChecker(callRaw);
    await using site = await EvalSite.open(allTasks, process.cwd());
    for (const task of tasks.filter((each) => each.area === area)) {
      const hands = new Hands('pagehelm', async (call) => checker.call(call));
      await hands.open(site.url(task, task.id));
      await task.run(hands);
    }
    expect(checker.problems).toEqual([]);
  },
);

const sets: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'changes of style': restyled,
  ...(isLongRun ? { 'pages of the zoo': zoo, animations: animationPages } : {}),
};
test.for(Object.entries(sets))(
  'no answer to a click says that nothing changed where screenshots of before and after differ, in %s',
  async ([, pages], { site, callRaw }) => {
    const checker = new ClaimChecker(callRaw);
    for (const [name, page] of Object.entries(pages)) {
      site.set(`/${name}`, page());
      await checker.clickAll(site.url(`/${name}`));
    }
    expect(checker.problems).toEqual([]);
    if (pages === restyled) expect(total.different).toBeGreaterThan(0);
  },
);
