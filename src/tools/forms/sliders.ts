import type { Locator } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import type { Wait } from './select-options.ts';

const mostSteps = 200;

/** Moves a custom slider by arrow keys. A value out of range does not move it. */
export async function slide(locator: Locator, value: string, wait: Wait): Promise<void> {
  const wanted = value.trim() === '' ? Number.NaN : Number(value);
  const read = async (name: string, otherwise: number): Promise<number> => {
    const number = Number((await locator.getAttribute(name, wait)) ?? otherwise);
    return Number.isNaN(number) ? otherwise : number;
  };
  const [least, most] = [await read('aria-valuemin', 0), await read('aria-valuemax', 100)];
  if (!(wanted >= least && wanted <= most)) throw offScale(`a number from ${least} to ${most}.`);
  let at = await read('aria-valuenow', least);
  for (let step = 0; at !== wanted && step < mostSteps; step++) {
    await locator.press(wanted > at ? 'ArrowRight' : 'ArrowLeft', wait);
    const next = await read('aria-valuenow', least);
    const isAway = next === at || Math.abs(next - wanted) >= Math.abs(at - wanted);
    at = next;
    if (isAway) break;
  }
  if (at !== wanted) throw offScale(`values that its arrow keys reach; its value is ${at} now.`);
}

function offScale(takes: string): ToolError {
  return new ToolError('BAD_FORMAT', { problem: `A slider field takes ${takes}` });
}
