import type { Tool } from '../../call/tool.ts';
import { elementExists, findElement, findElements, isEnabled, isVisible, waitForSelector } from '../page/elements.ts';
import {
  extractLinks,
  extractTable,
  getAllText,
  getAttribute,
  getPageMetadata,
  getText,
  getValue,
} from '../page/extract.ts';
import { blockResource, getRequestLog, mockResponse, setOffline, setThrottling } from '../page/routes.ts';
import { getCookies, restoreState, saveState, setCookies } from '../sessions/storage.ts';
import { waitForLoad } from '../page/wait.ts';

/** Tools that only a vocabulary lists. A server without vocabularies starts faster if it does not load them. */
export const vocabularyTools = [
  waitForLoad,
  waitForSelector,
  findElement,
  findElements,
  elementExists,
  isVisible,
  isEnabled,
  getText,
  getAllText,
  getAttribute,
  getValue,
  extractTable,
  extractLinks,
  getPageMetadata,
  getCookies,
  setCookies,
  saveState,
  restoreState,
  blockResource,
  mockResponse,
  setOffline,
  setThrottling,
  getRequestLog,
] as const satisfies readonly Tool[];
