import type { Tool } from '../../call/tool.ts';
import { capabilityTools } from '../capabilities.ts';
import { basic } from './basic.ts';
import { design } from './design.ts';
import { playwright } from './playwright.ts';
import { sessions } from './sessions.ts';
import { vocabularyTools } from './tools.ts';

/** Aliases of tools, by vocabulary. */
export const aliases: readonly Tool[] = [...design, ...sessions, ...basic, ...playwright];

/** Everything that is loaded only with a vocabulary or capability. If a name occurs twice, the first one wins. */
export const vocabularies: readonly Tool[] = [...vocabularyTools, ...capabilityTools, ...aliases];
