import type { Tool } from '../../call/tool.ts';
import { basic } from './basic.ts';
import { design } from './design.ts';
import { playwright } from './playwright.ts';
import { sessions } from './sessions.ts';
import { vocabularyTools } from './tools.ts';

/** Other names for the tools, for toolsets with a vocabulary of their own. */
export const aliases: readonly Tool[] = [...design, ...sessions, ...basic, ...playwright];

/** All that is loaded only with a vocabulary. If a name is there twice, the first one counts. */
export const vocabularies: readonly Tool[] = [...vocabularyTools, ...aliases];
