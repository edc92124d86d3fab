import { areas } from '../task.ts';
import type { Area, EvalTask, PlacedTask } from '../task.ts';
import { calendars } from './calendars.ts';
import { dialogs } from './dialogs.ts';
import { drags } from './drags.ts';
import { forms } from './forms.ts';
import { frames } from './frames.ts';
import { icons } from './icons.ts';
import { lists } from './lists.ts';
import { menus } from './menus.ts';
import { sliders } from './sliders.ts';
import { text } from './text.ts';
import { trees } from './trees.ts';

const byArea: Readonly<Record<Area, readonly EvalTask[]>> = {
  forms,
  lists,
  calendars,
  trees,
  sliders,
  drags,
  text,
  dialogs,
  frames,
  menus,
  icons,
};

export const allTasks: readonly PlacedTask[] = areas.flatMap((area) => byArea[area].map((task) => ({ ...task, area })));
