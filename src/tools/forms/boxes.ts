import type { Located } from '../../session/snapshot/target.ts';
import type { Wait } from './select-options.ts';

/** As Playwright says it. */
export const boxStays = 'Clicking the box did not change its state';

/** Checks a box or not; one that the page draws by other means is clicked there, and has to follow. */
export async function setBox(
  { locator, own }: Pick<Located, 'locator' | 'own'>,
  isOn: boolean,
  wait: Wait,
): Promise<void> {
  if (own === undefined) return locator.setChecked(isOn, wait);
  if ((await own.isChecked(wait)) === isOn) return;
  await locator.click(wait);
  if ((await own.isChecked(wait)) !== isOn) throw new Error(boxStays);
}
