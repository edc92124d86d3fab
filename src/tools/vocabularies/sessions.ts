import * as z from 'zod';
import { click, type } from '../input.ts';
import { navigate } from '../navigation.ts';
import { closeSession, createSession } from '../sessions.ts';
import { defineWord } from './define-alias.ts';

const sessionId = z.string().describe('Id of the session, from create_session');
const selector = z.string().describe('Selector of the element');

/** The five tools that work on sessions named in each call. */
export const sessions = [
  defineWord({
    name: 'create_session',
    tool: createSession,
    description: 'Create a browser session of its own; the other tools take its sessionId.',
    input: {},
    answer: 'data',
  }),
  defineWord({
    name: 'close_session',
    tool: closeSession,
    description: 'Close a session and release what it holds.',
    input: { sessionId },
    answer: 'data',
  }),
  defineWord({
    name: 'navigate',
    tool: navigate,
    description: 'Navigate the page of a session to a URL, and wait until it has loaded.',
    input: { sessionId, url: z.string().describe('URL to navigate to') },
    defaults: { timeout: 30_000 },
    answer: 'data',
  }),
  defineWord({
    name: 'click',
    tool: click,
    description: 'Click an element in the page of a session.',
    input: {
      sessionId,
      selector,
      options: z
        .object({
          timeout: z.number().optional().describe('Milliseconds to wait for the element'),
          force: z.boolean().optional().describe('Click although something is in the way'),
        })
        .optional()
        .describe('Options of the click'),
    },
    answer: 'data',
  }),
  defineWord({
    name: 'type',
    tool: type,
    description: 'Type text into an element in the page of a session.',
    input: {
      sessionId,
      selector,
      text: z.string().describe('Text to type'),
      options: z
        .object({ delay: z.number().optional().describe('Milliseconds between keys, as a person types') })
        .optional()
        .describe('Options of the typing'),
    },
    answer: 'data',
  }),
];
