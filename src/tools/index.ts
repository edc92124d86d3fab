import type { Tool } from '../call/tool.ts';
import { close } from './browser.ts';
import { consoleMessages } from './console.ts';
import { handleDialog } from './dialogs.ts';
import { evaluate } from './evaluate.ts';
import { click, hover, type } from './input.ts';
import { pressKey } from './keyboard.ts';
import { navigate, navigateBack } from './navigation.ts';
import { takeScreenshot } from './screenshot.ts';
import { snapshot } from './snapshot.ts';
import { tabs } from './tabs.ts';
import { waitFor } from './wait.ts';

/** Every tool there is, in the order documentation shows them. */
export const allTools = [
  navigate,
  navigateBack,
  snapshot,
  click,
  type,
  pressKey,
  hover,
  waitFor,
  handleDialog,
  evaluate,
  takeScreenshot,
  consoleMessages,
  tabs,
  close,
] as const satisfies readonly Tool[];

type AnyTool = (typeof allTools)[number];
export type ToolName = AnyTool['name'];
/** The arguments of a tool, for typed callers. */
export type ToolArgs<N extends ToolName> = NonNullable<Extract<AnyTool, { name: N }>['~input']>;
