import { timed } from './measure.ts';
import type { Recorder } from './measure.ts';
import { formElements, formPage } from './pages.ts';
import type { Element } from './pages.ts';
import type { McpDriver } from './servers.ts';
import type { Site } from './site.ts';

interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const { name, country, news, save, cancel } = formElements;

/** Twelve steps on the small form; `target` gives the target of each. */
function steps(round: number, target: (element: Element) => string): readonly Step[] {
  const type = (text: string): Step => ({ tool: 'browser_type', args: { target: target(name), text } });
  const select = (value: string): Step => ({
    tool: 'browser_select_option',
    args: { target: target(country), values: [value] },
  });
  const click = (element: Element): Step => ({ tool: 'browser_click', args: { target: target(element) } });
  return [
    type(`a ${round}`),
    select('Japan'),
    click(news),
    click(save),
    type(`b ${round}`),
    select('Norway'),
    click(news),
    click(cancel),
    type(`c ${round}`),
    select('Chile'),
    click(save),
    click(cancel),
  ];
}

/** The same twelve steps as single calls and as one call, in turns. */
export async function runBatch(
  {
    site,
    rounds,
    progress,
  }: { readonly site: Site; readonly rounds: number; readonly progress: (text: string) => void },
  recorder: Recorder,
  driver: McpDriver,
): Promise<void> {
  progress('batch: twelve steps');
  const refs = new Map<Element, string>();
  await recorder.interleave('batch', [driver], rounds, async (_, round) => {
    if (round < 0) {
      await driver.navigate(site.url(formPage));
      for (const element of [name, country, news, save, cancel]) refs.set(element, await driver.find(element));
    }
    const all = steps(round, (element) => refs.get(element) ?? '');
    const single = await timed(async () => {
      for (const { tool, args } of all) await driver.call(tool, args);
    });
    const batch = await timed(async () => driver.call('browser_batch', { steps: all }));
    if (!batch.value.text.includes('12. browser_click: done')) throw new Error('not all steps of the batch ran');
    if (round < 0) return;
    recorder.add({ id: 'batch.single', title: 'twelve steps, single calls', unit: 'ms' }, 'pagehelm', single.ms);
    recorder.add({ id: 'batch.batch', title: 'twelve steps, one batch', unit: 'ms' }, 'pagehelm', batch.ms);
  });
}
