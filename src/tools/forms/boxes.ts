import type { Located } from '../../session/snapshot/target.ts';
import { boxUnchanged } from '../../session/act/fast-path.ts';
import type { Wait } from './select-options.ts';

/** Checks or unchecks a box. A box that is drawn by another element is clicked there. */
export async function setBox(
  { locator, own, label }: Pick<Located, 'locator' | 'own' | 'label'>,
  isOn: boolean,
  wait: Wait,
): Promise<void> {
  if (own === undefined) return locator.setChecked(isOn, wait);
  if ((await own.isChecked(wait)) === isOn) return;
  await locator.click(wait);
  if ((await own.isChecked(wait)) !== isOn) throw boxUnchanged(label);
}
