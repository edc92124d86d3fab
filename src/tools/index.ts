import type { Tool } from '../call/tool.ts';
import { commonTools } from './common.ts';
import { elementExists, findElement, findElements, isEnabled, isVisible, waitForSelector } from './elements.ts';
import { extractLinks, extractTable, getAllText, getAttribute, getPageMetadata, getText, getValue } from './extract.ts';
import { getCookies, restoreState, saveState, setCookies } from './storage.ts';
import { blockResource, getRequestLog, mockResponse, setOffline, setThrottling } from './routes.ts';
import { waitForLoad } from './wait.ts';

/** Every tool there is, in the order documentation shows them. A server loads the last ones with the set that has them. */
export const allTools = [
  ...commonTools,
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

type AnyTool = (typeof allTools)[number];
export type ToolName = AnyTool['name'];
/** The arguments of a tool, for typed callers. */
export type ToolArgs<N extends ToolName> = NonNullable<Extract<AnyTool, { name: N }>['~input']>;
