import * as z from 'zod';
import { check, uncheck } from '../forms/checks.ts';
import { drag } from '../drag.ts';
import { elementExists, findElement, findElements, isEnabled, isVisible, waitForSelector } from '../elements.ts';
import { evaluate } from '../evaluate.ts';
import {
  extractLinks,
  extractTable,
  getAllText,
  getAttribute,
  getPageMetadata,
  getText,
  getValue,
} from '../extract.ts';
import { fileUpload } from '../files.ts';
import { selectOption } from '../forms/forms.ts';
import { navigate, navigateBack, navigateForward, reload } from '../navigation.ts';
import { click, hover, type } from '../input.ts';
import { pressKey } from '../keyboard.ts';
import { takeScreenshot } from '../screenshot.ts';
import { scroll } from '../scroll.ts';
import { closeSession, createSession, listSessions } from '../sessions.ts';
import { getCookies, restoreState, saveState, setCookies } from '../storage.ts';
import { blockResource, getRequestLog, mockResponse, setOffline, setThrottling } from '../routes.ts';
import { waitForLoad } from '../wait.ts';
import { defineWord } from './define-alias.ts';

const selector = z.string().describe('CSS selector or XPath of the element');
const number = z.number().optional();
const picture = z.enum(['png', 'jpeg']).optional().describe('Format, default png');
const viewport = z
  .object({ width: z.number().describe('Width'), height: z.number().describe('Height') })
  .optional()
  .describe('Size of the pages in pixels');

const navigation = [
  defineWord({
    name: 'navigate',
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
    defaults: { timeout: 30_000 },
    answer: 'data',
  }),
  defineWord({
    name: 'go_back',
    tool: navigateBack,
    description: 'Navigate back in the history.',
    input: {},
    answer: 'data',
  }),
  defineWord({
    name: 'go_forward',
    tool: navigateForward,
    description: 'Navigate forward in the history.',
    input: {},
    answer: 'data',
  }),
  defineWord({
    name: 'reload',
    tool: reload,
    description: 'Reload the page.',
    input: { ignoreCache: z.boolean().optional().describe('Load everything from the server again') },
    answer: 'data',
  }),
  waitForLoad,
];

const interaction = [
  defineWord({
    name: 'click',
    tool: click,
    description: 'Click an element, and wait for what that sets off.',
    input: {
      selector,
      button: z.enum(['left', 'right', 'middle']).optional().describe('Mouse button, default left'),
      clickCount: number.describe('Clicks in a row, default 1'),
    },
    answer: 'data',
  }),
  defineWord({
    name: 'type',
    tool: type,
    description: 'Type text into an element; it replaces what is there.',
    input: {
      selector,
      text: z.string().describe('Text to type'),
      delay: number.describe('Milliseconds between keys; without it the text is put in at once'),
    },
    answer: 'data',
  }),
  defineWord({
    name: 'fill',
    tool: type,
    title: 'Fill an input',
    description: 'Fill an input with a value.',
    input: { selector, value: z.string().describe('The value') },
    answer: 'data',
  }),
  defineWord({
    name: 'select',
    tool: selectOption,
    description: 'Select an option of a list.',
    input: { selector, value: z.string().describe('Value or text of the option') },
    answer: 'data',
  }),
  defineWord({ name: 'check', tool: check, description: 'Check a checkbox.', input: { selector }, answer: 'data' }),
  defineWord({
    name: 'uncheck',
    tool: uncheck,
    description: 'Uncheck a checkbox.',
    input: { selector },
    answer: 'data',
  }),
  defineWord({
    name: 'hover',
    tool: hover,
    description: 'Move the mouse over an element.',
    input: { selector },
    answer: 'data',
  }),
  defineWord({
    name: 'scroll',
    tool: scroll,
    description: 'Scroll the page; without arguments by one window.',
    input: { x: number.describe('Pixels to the right'), y: number.describe('Pixels down') },
    answer: 'data',
  }),
  defineWord({
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
  defineWord({
    name: 'upload_file',
    tool: fileUpload,
    description: 'Give files to a file input.',
    input: { selector, files: z.array(z.string()).describe('Paths of the files') },
    answer: 'data',
  }),
  defineWord({
    name: 'press',
    tool: pressKey,
    description: 'Press a key on the focused element.',
    input: {
      key: z.string().describe('For example Enter or a'),
      modifiers: z.array(z.string()).optional().describe('Keys held down: Alt, Control, Meta, Shift'),
    },
    answer: 'data',
  }),
];

const extraction = [
  getText,
  getAllText,
  getAttribute,
  getValue,
  defineWord({
    name: 'screenshot',
    tool: takeScreenshot,
    description: 'Take a screenshot of the page.',
    input: {
      fullPage: z.boolean().optional().describe('The whole scrollable page'),
      type: picture,
      quality: number.describe('Quality of a jpeg, 0 to 100'),
    },
    answer: 'sections',
  }),
  defineWord({
    name: 'screenshot_element',
    tool: takeScreenshot,
    title: 'Take a screenshot of an element',
    description: 'Take a screenshot of one element.',
    input: { selector, type: picture },
    answer: 'sections',
  }),
  extractTable,
  extractLinks,
  getPageMetadata,
  defineWord({
    name: 'evaluate',
    tool: evaluate,
    description: 'Run JavaScript in the page and get its result: a function, an expression, or statements with return.',
    input: {
      script: z.string().describe('The script; its arguments are args'),
      args: z.array(z.unknown()).optional().describe('Arguments of the script'),
    },
    answer: 'data',
  }),
];

const session = [
  defineWord({
    name: 'create_session',
    tool: createSession,
    description: 'Create a session with cookies, storage and pages of its own.',
    input: { userAgent: z.string().optional().describe('User agent'), viewport },
    answer: 'data',
  }),
  defineWord({
    name: 'close_session',
    tool: closeSession,
    description: 'Close a session and its pages.',
    input: { sessionId: z.string().describe('Id of the session') },
    answer: 'data',
  }),
  defineWord({
    name: 'list_sessions',
    tool: listSessions,
    description: 'List all sessions.',
    input: {},
    answer: 'data',
  }),
  getCookies,
  setCookies,
  saveState,
  restoreState,
];

const network = [blockResource, mockResponse, setOffline, setThrottling, getRequestLog];

const element = [findElement, findElements, elementExists, isVisible, isEnabled, waitForSelector];

/** The 44 tools of the full design: short names, and answers that are data. */
export const design = [...navigation, ...interaction, ...extraction, ...session, ...network, ...element];
