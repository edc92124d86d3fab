import type { Tool } from '../call/tool.ts';
import { close } from './browser.ts';
import { check, uncheck } from './forms/checks.ts';
import { consoleMessages } from './console.ts';
import { contextClose, contextCreate, contextList, contextSaveStorage, contextSwitch } from './contexts.ts';
import { handleDialog } from './dialogs.ts';
import { drag } from './drag.ts';
import { emulateMedia } from './emulation.ts';
import { evaluate } from './evaluate.ts';
import { drop, fileUpload } from './files.ts';
import { find } from './find.ts';
import { fillForm, selectOption } from './forms/forms.ts';
import { navigate, navigateBack, navigateForward, reload } from './navigation.ts';
import { click, hover, type } from './input.ts';
import { install } from './install.ts';
import { launch, quit } from './launch.ts';
import { pressKey } from './keyboard.ts';
import { networkRequest, networkRequests } from './network.ts';
import { pdfSave } from './pdf.ts';
import { closeSession, createSession, listSessions } from './sessions.ts';
import { takeScreenshot } from './screenshot.ts';
import { scroll } from './scroll.ts';
import { snapshot } from './snapshot.ts';
import { tabs } from './tabs.ts';
import { resize, scrollIntoView } from './viewport.ts';
import { mouseClick, mouseDown, mouseDrag, mouseMove, mouseUp, mouseWheel } from './mouse.ts';
import { waitFor } from './wait.ts';

/** The tools of the sets that are not vocabularies, in the order documentation shows them. */
export const commonTools = [
  navigate,
  navigateBack,
  navigateForward,
  reload,
  snapshot,
  find,
  click,
  type,
  fillForm,
  selectOption,
  check,
  uncheck,
  pressKey,
  hover,
  drag,
  drop,
  scroll,
  scrollIntoView,
  fileUpload,
  waitFor,
  handleDialog,
  evaluate,
  takeScreenshot,
  pdfSave,
  consoleMessages,
  networkRequests,
  networkRequest,
  resize,
  emulateMedia,
  tabs,
  close,
  launch,
  quit,
  install,
  contextCreate,
  contextSwitch,
  contextList,
  contextClose,
  contextSaveStorage,
  createSession,
  closeSession,
  listSessions,
  mouseClick,
  mouseMove,
  mouseDrag,
  mouseDown,
  mouseUp,
  mouseWheel,
] as const satisfies readonly Tool[];
