import type { Tool } from '../call/tool.ts';
import { runCodeUnsafe } from './code/run-code.ts';
import { annotate } from './devtools/annotate.ts';
import { getConfig } from './devtools/get-config.ts';
import { extract } from './extract/extract.ts';
import { map } from './map/map.ts';
import { hideHighlight, highlight } from './devtools/highlight.ts';
import { startRecording, stopRecording } from './devtools/recording.ts';
import { resume } from './devtools/resume.ts';
import { hideActions, showActions, startVideo, stopVideo, videoChapter } from './devtools/video.ts';
import { handoff } from './human/handoff.ts';
import { networkState, route, routeList, unroute } from './page/named-routes.ts';
import { startTracing, stopTracing } from './page/tracing.ts';
import { cookieClear, cookieDelete, cookieGet, cookieList, cookieSet } from './storage/cookies.ts';
import { setStorageState, storageState } from './storage/state.ts';
import {
  localStorageClear,
  localStorageDelete,
  localStorageGet,
  localStorageList,
  localStorageSet,
  sessionStorageClear,
  sessionStorageDelete,
  sessionStorageGet,
  sessionStorageList,
  sessionStorageSet,
} from './storage/web-storage.ts';
import { generateLocator, verifyElement, verifyList, verifyText, verifyValue } from './testing/verify.ts';

/** Tools that only a capability, another option or `--toolset all` lists. A server without them starts faster if it does not load them. */
export const capabilityTools = [
  extract,
  map,
  cookieList,
  cookieGet,
  cookieSet,
  cookieDelete,
  cookieClear,
  localStorageList,
  localStorageGet,
  localStorageSet,
  localStorageDelete,
  localStorageClear,
  sessionStorageList,
  sessionStorageGet,
  sessionStorageSet,
  sessionStorageDelete,
  sessionStorageClear,
  storageState,
  setStorageState,
  route,
  routeList,
  unroute,
  networkState,
  verifyElement,
  verifyText,
  verifyList,
  verifyValue,
  generateLocator,
  startTracing,
  stopTracing,
  startVideo,
  stopVideo,
  videoChapter,
  showActions,
  hideActions,
  startRecording,
  stopRecording,
  highlight,
  hideHighlight,
  resume,
  annotate,
  handoff,
  getConfig,
  runCodeUnsafe,
] as const satisfies readonly Tool[];
