import type { Tool } from '../call/tool.ts';
import { consoleMessages } from './page/console.ts';
import { handleDialog } from './actions/dialogs.ts';
import { drag } from './actions/drag.ts';
import { emulateMedia } from './sessions/emulation.ts';
import { evaluate } from './page/evaluate.ts';
import { drop, fileUpload } from './actions/files.ts';
import { find } from './page/find.ts';
import { check, uncheck } from './forms/checks.ts';
import { fillForm, selectOption } from './forms/forms.ts';
import { click, hover, type } from './actions/input.ts';
import { pressKey, selectTextTool } from './actions/keyboard.ts';
import { mouseClick, mouseDown, mouseDrag, mouseMove, mouseUp, mouseWheel } from './actions/mouse.ts';
import { navigate, navigateBack, navigateForward, reload } from './page/navigation.ts';
import { networkRequest, networkRequests } from './page/network.ts';
import { pdfSave } from './page/pdf.ts';
import { compareScreenshot, takeScreenshot } from './page/screenshot.ts';
import { read } from './reading/read.ts';
import { scroll, scrollIntoView } from './actions/scroll.ts';
import { batch } from './steps/batch.ts';
import { sessionTools } from './sessions/tools.ts';
import { snapshot } from './page/snapshot.ts';
import { close, tabs } from './sessions/tabs.ts';
import { resize } from './sessions/viewport.ts';
import { waitFor } from './page/wait.ts';

/**
 * The tools that a server loads when it starts, in the order of the documentation. Each declares its toolsets itself.
 * Tools that only a vocabulary lists are in `vocabularies/tools.ts`: they are loaded with it.
 */
export const tools = [
  navigate,
  navigateBack,
  navigateForward,
  reload,
  snapshot,
  batch,
  read,
  find,
  click,
  type,
  fillForm,
  selectOption,
  check,
  uncheck,
  pressKey,
  hover,
  selectTextTool,
  drag,
  drop,
  scroll,
  scrollIntoView,
  fileUpload,
  waitFor,
  handleDialog,
  evaluate,
  takeScreenshot,
  compareScreenshot,
  pdfSave,
  consoleMessages,
  networkRequests,
  networkRequest,
  resize,
  emulateMedia,
  tabs,
  close,
  ...sessionTools,
  mouseClick,
  mouseMove,
  mouseDrag,
  mouseDown,
  mouseUp,
  mouseWheel,
] as const satisfies readonly Tool[];
