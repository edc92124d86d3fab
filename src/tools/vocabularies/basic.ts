import * as z from 'zod';
import { find } from '../page/find.ts';
import { click, type } from '../actions/input.ts';
import { navigate } from '../page/navigation.ts';
import { takeScreenshot } from '../page/screenshot.ts';
import { aliasesFor } from './define-alias.ts';

const defineAlias = aliasesFor('basic');

const selectorTypes = ['css', 'text', 'role', 'testId'] as const;

/** Tools that take a selector and answer with sentences. */
export const basic = [
  defineAlias({
    name: 'browser_navigate',
    tool: navigate,
    description: 'Navigate the active page to a URL.',
    input: {
      url: z.string().describe('URL to navigate to (must include protocol)'),
      waitUntil: z
        .enum(['load', 'domcontentloaded', 'networkidle'])
        .default('load')
        .describe('When to consider navigation succeeded'),
    },
    answer: 'sentences',
  }),
  defineAlias({
    name: 'browser_find',
    tool: find,
    description:
      'Find elements on the page with a selector: their number, and whether the first is visible and enabled.',
    input: {
      selector: z.string().describe('CSS selector, text, or role selector'),
      selectorType: z.enum(selectorTypes).default('css').describe('Type of selector'),
      options: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("Additional locator options (e.g., { name: 'Submit' })"),
    },
    answer: 'sentences',
  }),
  defineAlias({
    name: 'browser_click',
    tool: click,
    description: 'Click an element.',
    input: {
      selector: z.string().describe('Selector for the element to click'),
      selectorType: z.enum(selectorTypes).default('css'),
      options: z.record(z.string(), z.unknown()).optional().describe('Click options (button, clickCount, etc.)'),
    },
    answer: 'sentences',
  }),
  defineAlias({
    name: 'browser_type',
    tool: type,
    description: 'Type text into an element (input, textarea).',
    input: {
      selector: z.string().describe('Selector for the input element'),
      text: z.string().describe('Text to type'),
      selectorType: z.enum([...selectorTypes, 'label']).default('css'),
      clear: z.boolean().default(true).describe('Clear existing text before typing'),
    },
    answer: 'sentences',
  }),
  defineAlias({
    name: 'browser_screenshot',
    callableIn: ['core'],
    tool: takeScreenshot,
    description: 'Take a screenshot of the page or of one element.',
    input: {
      selector: z.string().optional().describe('Optional: selector for element to screenshot'),
      fullPage: z.boolean().default(false).describe('Capture full scrollable page'),
      path: z.string().optional().describe('Optional: file path to save screenshot'),
    },
    defaults: { image: 'inline', relativeTo: 'cwd' },
    answer: 'sentences',
  }),
];
