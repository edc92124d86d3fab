import { basic } from './basic.ts';

/** Toolsets that are lists of tools in words of their own. */
export const vocabularies = { basic };
