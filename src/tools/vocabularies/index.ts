import type { Tool } from '../../call/tool.ts';
import { basic } from './basic.ts';
import { design } from './design.ts';
import { playwright } from './playwright.ts';
import { sessions } from './sessions.ts';

/**
 * Toolsets that are lists of tools in words of their own. Each is what one specification asks for, name by name; whatever
 * the name, the action is written once, in the folder above.
 */
export const vocabularies: Readonly<Record<'basic' | 'design' | 'sessions' | 'playwright', readonly Tool[]>> = {
  basic,
  design,
  sessions,
  playwright,
};
