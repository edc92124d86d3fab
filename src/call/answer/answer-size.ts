import { estimateTokens } from '../../util/tokens.ts';
import type { CallResult } from './report.ts';

/** Tokens of texts and links; clients count images in different ways. */
export function tokensOf({ content }: CallResult): number {
  return content.reduce((sum, item) => {
    if (item.type === 'image') return sum;
    return sum + estimateTokens(item.type === 'text' ? item.text : JSON.stringify(item));
  }, 0);
}

/** Characters of an answer: texts as they are, images as they are sent. */
export function sizeOf({ content }: CallResult): number {
  return content.reduce((sum, item) => {
    if (item.type === 'text') return sum + item.text.length;
    return sum + (item.type === 'image' ? item.data.length : item.uri.length);
  }, 0);
}
