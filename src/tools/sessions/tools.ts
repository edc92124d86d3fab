import type { Tool } from '../../call/tool.ts';
import { install, launch, quit } from './browser.ts';
import { contextClose, contextCreate, contextList, contextSaveStorage, contextSwitch } from './contexts.ts';
import { closeSession, createSession, listSessions } from './sessions.ts';

/** Tools for browsers, contexts and sessions. */
export const sessionTools = [
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
] as const satisfies readonly Tool[];
