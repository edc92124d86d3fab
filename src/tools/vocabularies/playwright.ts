import * as z from 'zod';
import { consoleMessages } from '../page/console.ts';
import { handleDialog } from '../actions/dialogs.ts';
import { drag } from '../actions/drag.ts';
import { evaluate } from '../page/evaluate.ts';
import { drop, fileUpload } from '../actions/files.ts';
import { find } from '../page/find.ts';
import { fillForm, selectOption } from '../forms/forms.ts';
import { navigate, navigateBack } from '../page/navigation.ts';
import { click, hover, type } from '../actions/input.ts';
import { pressKey } from '../actions/keyboard.ts';
import { networkRequest, networkRequests } from '../page/network.ts';
import { takeScreenshot } from '../page/screenshot.ts';
import { snapshot } from '../page/snapshot.ts';
import { close, tabs } from '../sessions/tabs.ts';
import { resize } from '../sessions/viewport.ts';
import { waitFor } from '../page/wait.ts';
import type { Tool } from '../../call/tool.ts';
import { aliasesFor } from './define-alias.ts';

const defineAlias = aliasesFor('playwright');

const element = z.string().optional().describe('Element description');
const target = z.string().describe('Ref from the snapshot, or a selector');
const filename = z.string().optional().describe('File to save to, instead of the answer');
const text = z.string().optional();
const flag = z.boolean().optional();
const number = z.number().optional();

/** A tool with the name and arguments of @playwright/mcp and its own description. */
function listed(tool: Tool, input: z.ZodRawShape): Tool {
  const { name, description } = tool;
  return defineAlias({ name, tool, description, input, answer: 'sections' });
}

/** The tools of @playwright/mcp without capabilities, except the one that runs code in the server. */
export const playwright = [
  listed(click, {
    element,
    target,
    doubleClick: flag.describe('Double click'),
    button: z.enum(['left', 'right', 'middle']).optional().describe('Mouse button, default left'),
    modifiers: z
      .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
      .optional()
      .describe('Keys held down'),
  }),
  listed(close, {}),
  listed(consoleMessages, {
    level: z.enum(['error', 'warning', 'info', 'debug']).default('info').describe('Minimum level to show'),
    all: flag.describe('Include earlier pages'),
    filename,
  }),
  listed(drag, {
    startElement: text.describe('Dragged element'),
    startTarget: target,
    endElement: text.describe('Drop target'),
    endTarget: target,
  }),
  listed(drop, {
    element,
    target,
    paths: z.array(z.string()).optional().describe('Paths of files'),
    data: z.record(z.string(), z.string()).optional().describe('Data by MIME type'),
  }),
  listed(evaluate, {
    element,
    target: target.optional(),
    function: z.string().describe('() => { … }, or (element) => { … } with a target'),
    filename,
  }),
  listed(fileUpload, { paths: z.array(z.string()).optional().describe('File paths; omit to cancel') }),
  listed(fillForm, {
    fields: z
      .array(
        z.object({
          element,
          target,
          name: z.string().describe('Name of the field'),
          type: z.enum(['textbox', 'checkbox', 'radio', 'combobox', 'slider']).describe('Kind of field'),
          value: z.string().describe('Text, option, number, or true and false'),
        }),
      )
      .describe('Fields to fill'),
  }),
  listed(find, {
    text: text.describe('Text to find'),
    regex: text.describe('Regular expression to find'),
    filename,
  }),
  listed(handleDialog, {
    accept: z.boolean().describe('Accept or dismiss'),
    promptText: text.describe('Answer to a prompt'),
  }),
  listed(hover, { element, target }),
  listed(navigate, { url: z.string().describe('The URL to open') }),
  listed(navigateBack, {}),
  listed(networkRequest, {
    index: z.number().describe('Number from browser_network_requests'),
    part: z
      .enum(['request-headers', 'request-body', 'response-headers', 'response-body'])
      .optional()
      .describe('Part to show'),
    filename,
  }),
  listed(networkRequests, {
    static: z.boolean().default(false).describe('Include images, scripts, fonts and styles'),
    filter: text.describe('Text in the URL, or /regex/'),
    filename,
  }),
  listed(pressKey, { key: z.string().describe('For example Enter, ArrowLeft, a, Control+a') }),
  listed(resize, {
    width: z.number().describe('Width in pixels'),
    height: z.number().describe('Height in pixels'),
  }),
  listed(selectOption, { element, target, values: z.array(z.string()).describe('Values or texts of the options') }),
  listed(snapshot, {
    target: target.optional(),
    filename,
    depth: number.describe('Levels to show'),
    boxes: flag.describe('Show element positions'),
  }),
  listed(tabs, {
    action: z.enum(['list', 'new', 'close', 'select']).describe('What to do'),
    index: number.describe('Tab to close or select'),
    url: text.describe('URL for a new tab'),
  }),
  listed(takeScreenshot, {
    element,
    target: target.optional(),
    type: z.enum(['png', 'jpeg', 'webp']).optional().describe('Image format, default png'),
    filename: text.describe('File name'),
    fullPage: flag.describe('The whole scrollable page'),
    scale: z.enum(['css', 'device']).default('css').describe('CSS or device pixels'),
  }),
  listed(type, {
    element,
    target,
    text: z.string().describe('The text'),
    submit: flag.describe('Press Enter afterwards'),
    slowly: flag.describe('Type key by key'),
  }),
  listed(waitFor, {
    time: number.describe('Seconds, at most 30'),
    text: text.describe('Text to wait for'),
    textGone: text.describe('Text to disappear'),
  }),
];
