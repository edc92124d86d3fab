import type { Tool } from '../call/tool.ts';
import { install, launch, quit } from './browser.ts';
import { consoleMessages } from './console.ts';
import { contextClose, contextCreate, contextList, contextSaveStorage, contextSwitch } from './contexts.ts';
import { handleDialog } from './dialogs.ts';
import { drag } from './drag.ts';
import { emulateMedia } from './emulation.ts';
import { evaluate } from './evaluate.ts';
import { drop, fileUpload } from './files.ts';
import { find } from './find.ts';
import { check, uncheck } from './forms/checks.ts';
import { fillForm, selectOption } from './forms/forms.ts';
import { click, hover, type } from './input.ts';
import { pressKey } from './keyboard.ts';
import { mouseClick, mouseDown, mouseDrag, mouseMove, mouseUp, mouseWheel } from './mouse.ts';
import { navigate, navigateBack, navigateForward, reload } from './navigation.ts';
import { networkRequest, networkRequests } from './network.ts';
import { pdfSave } from './pdf.ts';
import { takeScreenshot } from './screenshot.ts';
import { scroll } from './scroll.ts';
import { closeSession, createSession, listSessions } from './sessions.ts';
import { snapshot } from './snapshot.ts';
import { close, tabs } from './tabs.ts';
import { resize, scrollIntoView } from './viewport.ts';
import { waitFor } from './wait.ts';

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
