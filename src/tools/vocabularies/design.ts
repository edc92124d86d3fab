import * as z from 'zod';
import { check, uncheck } from '../forms/checks.ts';
import { drag } from '../actions/drag.ts';
import { evaluate } from '../page/evaluate.ts';
import { fileUpload } from '../actions/files.ts';
import { selectOption } from '../forms/forms.ts';
import { navigate, navigateBack, navigateForward, reload } from '../page/navigation.ts';
import { click, hover, type } from '../actions/input.ts';
import { pressKey } from '../actions/keyboard.ts';
import { takeScreenshot } from '../page/screenshot.ts';
import { scroll } from '../actions/scroll.ts';
import { closeSession, createSession, listSessions } from '../sessions/sessions.ts';
import { aliasesFor, withSessionTimeout } from './define-alias.ts';

const defineAlias = aliasesFor('design');

const selector = z.string().describe('CSS selector or XPath of the element');
const number = z.number().optional();
const imageType = z.enum(['png', 'jpeg']).optional().describe('Format, default png');
const viewport = z
  .object({ width: z.number().describe('Width'), height: z.number().describe('Height') })
  .optional()
  .describe('Viewport size in pixels');

/** Aliases whose answers are data. Other tools declare this toolset in their own definition. */
export const design = [
  defineAlias({
    name: 'navigate',
    callableIn: ['core'],
    tool: navigate,
    description: 'Navigate to a URL in the browser.',
    input: {
      url: z.string().describe('The URL to navigate to'),
      waitUntil: z
        .enum(['load', 'domcontentloaded', 'networkidle'])
        .default('load')
        .describe('When to consider navigation complete'),
      timeout: z.number().default(30_000).describe('Navigation timeout in milliseconds'),
    },
    settings: withSessionTimeout,
    answer: 'data',
  }),
  defineAlias({
    name: 'go_back',
    tool: navigateBack,
    description: 'Navigate back in the history.',
    input: {},
    answer: 'data',
  }),
  defineAlias({
    name: 'go_forward',
    tool: navigateForward,
    description: 'Navigate forward in the history.',
    input: {},
    answer: 'data',
  }),
  defineAlias({
    name: 'reload',
    tool: reload,
    description: 'Reload the page.',
    input: { ignoreCache: z.boolean().optional().describe('Bypass the cache') },
    answer: 'data',
  }),
  defineAlias({
    name: 'click',
    callableIn: ['core'],
    tool: click,
    description: 'Click an element and wait for its effects.',
    input: {
      selector,
      button: z.enum(['left', 'right', 'middle']).optional().describe('Mouse button, default left'),
      clickCount: number.describe('Clicks in a row, default 1'),
    },
    answer: 'data',
  }),
  defineAlias({
    name: 'type',
    callableIn: ['core'],
    tool: type,
    description: 'Type text into an element, replacing its content.',
    input: {
      selector,
      text: z.string().describe('Text to type'),
      delay: number.describe('Milliseconds between keys, default 0'),
    },
    answer: 'data',
  }),
  defineAlias({
    name: 'fill',
    tool: type,
    title: 'Fill an input',
    description: 'Fill an input with a value.',
    input: { selector, value: z.string().describe('The value') },
    answer: 'data',
  }),
  defineAlias({
    name: 'select',
    tool: selectOption,
    description: 'Select an option of a list.',
    input: { selector, value: z.string().describe('Value or text of the option') },
    answer: 'data',
  }),
  defineAlias({ name: 'check', tool: check, description: 'Check a checkbox.', input: { selector }, answer: 'data' }),
  defineAlias({
    name: 'uncheck',
    tool: uncheck,
    description: 'Uncheck a checkbox.',
    input: { selector },
    answer: 'data',
  }),
  defineAlias({
    name: 'hover',
    tool: hover,
    description: 'Move the mouse over an element.',
    input: { selector },
    answer: 'data',
  }),
  defineAlias({
    name: 'scroll',
    tool: scroll,
    description: 'Scroll the page; by default one viewport down.',
    input: { x: number.describe('Pixels to the right'), y: number.describe('Pixels down') },
    answer: 'data',
  }),
  defineAlias({
    name: 'drag_and_drop',
    tool: drag,
    description: 'Drag one element onto another.',
    input: {
      source: z.string().describe('Selector of the element to drag'),
      target: z.string().describe('Selector of the element to drop it on'),
    },
    renamed: { source: 'startRef', target: 'endRef' },
    answer: 'data',
  }),
  defineAlias({
    name: 'upload_file',
    tool: fileUpload,
    description: 'Upload files to a file input.',
    input: { selector, files: z.array(z.string()).describe('Paths of the files') },
    answer: 'data',
  }),
  defineAlias({
    name: 'press',
    tool: pressKey,
    description: 'Press a key on the focused element.',
    input: {
      key: z.string().describe('For example Enter or a'),
      modifiers: z.array(z.string()).optional().describe('Keys held down: Alt, Control, Meta, Shift'),
    },
    answer: 'data',
  }),
  defineAlias({
    name: 'screenshot',
    tool: takeScreenshot,
    description: 'Take a screenshot of the page.',
    input: {
      fullPage: z.boolean().optional().describe('The whole scrollable page'),
      type: imageType,
      quality: number.describe('Quality of a jpeg, 0 to 100'),
    },
    answer: 'sections',
  }),
  defineAlias({
    name: 'screenshot_element',
    tool: takeScreenshot,
    title: 'Take a screenshot of an element',
    description: 'Take a screenshot of one element.',
    input: { selector, type: imageType },
    answer: 'sections',
  }),
  defineAlias({
    name: 'evaluate',
    tool: evaluate,
    description: 'Run JavaScript in the page and get its result: a function, an expression or statements.',
    input: {
      script: z.string().describe('The script; it can use args'),
      args: z.array(z.unknown()).optional().describe('Arguments of the script'),
    },
    answer: 'data',
  }),
  defineAlias({
    name: 'create_session',
    tool: createSession,
    description: 'Create an isolated session with its own cookies, storage and pages.',
    input: { userAgent: z.string().optional().describe('User agent'), viewport },
    answer: 'data',
  }),
  defineAlias({
    name: 'close_session',
    tool: closeSession,
    description: 'Close a session and its pages.',
    input: { sessionId: z.string().describe('Id of the session') },
    answer: 'data',
  }),
  defineAlias({
    name: 'list_sessions',
    tool: listSessions,
    description: 'List all sessions.',
    input: {},
    answer: 'data',
  }),
];
