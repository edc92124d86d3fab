import * as z from 'zod';
import { click, type } from '../actions/input.ts';
import { navigate } from '../page/navigation.ts';
import { closeSession, createSession } from '../sessions/sessions.ts';
import { aliasesFor, withSessionTimeout } from './define-alias.ts';

const defineAlias = aliasesFor('sessions');

const sessionId = z.string().describe('Id of the session, from create_session');
const selector = z.string().describe('Selector of the element');

/** Tools that take the id of a session in each call. */
export const sessions = [
  defineAlias({
    name: 'create_session',
    tool: createSession,
    description: 'Create an isolated browser session; the other tools take its sessionId.',
    input: {},
    answer: 'data',
  }),
  defineAlias({
    name: 'close_session',
    tool: closeSession,
    description: 'Close a session and release its resources.',
    input: { sessionId },
    answer: 'data',
  }),
  defineAlias({
    name: 'navigate',
    tool: navigate,
    description: 'Navigate the page of a session to a URL and wait until it has loaded.',
    input: { sessionId, url: z.string().describe('URL to navigate to') },
    settings: withSessionTimeout,
    answer: 'data',
  }),
  defineAlias({
    name: 'click',
    tool: click,
    description: 'Click an element in the page of a session.',
    input: {
      sessionId,
      selector,
      options: z
        .object({
          timeout: z.number().optional().describe('Milliseconds to wait for the element'),
          force: z.boolean().optional().describe('Click even if something covers the element'),
        })
        .optional()
        .describe('Click options'),
    },
    answer: 'data',
  }),
  defineAlias({
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
        .describe('Typing options'),
    },
    answer: 'data',
  }),
];
