import * as z from 'zod';
import type { Locator } from 'playwright-core';
import { defineTool } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import type { Tab } from '../session/tab.ts';
import { Code } from '../util/code.ts';
import { oneLine } from '../util/text.ts';
import { actOnElement, actOnPage } from './acting.ts';
import { labelOf, optionalTarget, optionalTargetShape, requiredTarget, targetShape, timeoutShape } from './shapes.ts';

export const fileUpload = defineTool({
  name: 'browser_file_upload',
  title: 'Upload files',
  description: 'Give files to the open file chooser or to a file field. No paths: cancel.',
  effect: 'input',
  scope: 'tab',
  input: {
    paths: z.array(z.string()).optional().describe('Paths of the files'),
    ...optionalTargetShape,
    ...timeoutShape,
  },
  synonyms: { files: 'paths' },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const paths = await Promise.all((args.paths ?? []).map((path) => session.workspace.readable(path)));
    const { chooser } = tab;
    const target = optionalTarget(args, session.name);
    const timeout = args.timeout ?? settings.timeouts.action;
    const options = { failure: { what: 'The upload', timeoutMs: timeout }, loadMs: settings.timeouts.load };
    const names = paths.map(({ name }) => JSON.stringify(oneLine(name))).join(', ');
    const files = paths.map(({ path }) => path);
    tab.chooser = undefined;
    if (files.length === 0) {
      if (chooser === undefined) throw new ToolError('MISSING_PARAMETER', noPaths);
      response.text('Cancelled the file chooser.');
      return;
    }
    if (chooser !== undefined) {
      await actOnPage(call, async () => chooser.setFiles(files, { timeout, signal }), options);
    } else if (target === undefined) {
      const input = await onlyInput(tab);
      await actOnPage(call, async () => input.setInputFiles(files, { timeout, signal }), options);
    } else {
      await actOnElement(call, target, async ({ locator }) => give(tab, locator, files, timeout, signal), {
        ...options,
        isInput: false,
      });
    }
    response.text(`Uploaded ${names}.`);
    response.ran(new Code([{ name: 'fileChooser' }]).call('setFiles', files));
  },
});

export const drop = defineTool({
  name: 'browser_drop',
  title: 'Drop onto an element',
  description: 'Drop files or data onto an element, as if dragged from outside of the browser.',
  effect: 'input',
  scope: 'tab',
  input: {
    ...targetShape,
    paths: z.array(z.string()).optional().describe('Paths of files'),
    data: z.record(z.string(), z.string()).optional().describe('Data by MIME type'),
    ...timeoutShape,
  },
  run: async (call) => {
    const { args, session, response, settings } = call;
    const timeout = args.timeout ?? settings.timeouts.action;
    const paths = await Promise.all((args.paths ?? []).map((path) => session.workspace.readable(path)));
    const { data = {} } = args;
    const things = [...paths.map(({ name }) => name), ...Object.keys(data)];
    if (things.length === 0) throw new ToolError('MISSING_PARAMETER', nothingToDrop);
    const payload = { ...(paths.length === 0 ? {} : { files: paths.map(({ path }) => path) }), data };
    const { located } = await actOnElement(
      call,
      requiredTarget(args, session.name),
      async ({ locator }, signal) => locator.drop(payload, { timeout, signal }),
      { failure: { what: 'Dropping', timeoutMs: timeout }, loadMs: settings.timeouts.load },
    );
    response.text(`Dropped ${oneLine(things.join(', '))} on ${oneLine(labelOf(args, located.label))}.`);
    response.ran(located.code.call('drop', payload));
  },
});

const noPaths = {
  problems: ['Missing argument "paths": which files. No file chooser is open that could be cancelled.'],
  accepted: ['paths', 'ref'],
};

const nothingToDrop = {
  problems: ['Give paths of files, or data by MIME type, to drop.'],
  accepted: ['ref', 'paths', 'data'],
};

/** A field takes files as it is; anything else is asked to open its chooser. */
async function give(
  tab: Tab,
  locator: Locator,
  files: readonly string[],
  timeout: number,
  signal: AbortSignal,
): Promise<void> {
  if (await locator.evaluate(isFileField, undefined, { timeout }))
    return locator.setInputFiles([...files], { timeout, signal });
  const opening = tab.page.waitForEvent('filechooser', { timeout, signal });
  await Promise.all([opening, locator.click({ timeout, signal })]);
  tab.chooser = undefined;
  return (await opening).setFiles([...files], { timeout, signal });
}

/** Runs in the page. */
function isFileField(element: Element): boolean {
  return element instanceof HTMLInputElement && element.type === 'file';
}

/** The file field of the page, visible or not; an error that names them when there are several. */
async function onlyInput(tab: Tab): Promise<Locator> {
  const found: { readonly locator: Locator; readonly name: string }[] = [];
  for (const frame of tab.page.frames()) {
    for (const locator of await frame.locator('input[type=file]').all()) {
      found.push({
        locator,
        name: (await locator.getAttribute('name')) ?? (await locator.getAttribute('id')) ?? 'without a name',
      });
    }
  }
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.locator;
  const candidates = found.map(({ name }) => JSON.stringify(oneLine(name))).join(', ');
  const problem =
    first === undefined
      ? 'There is no file field on the page, and no file chooser is open.'
      : `There are ${found.length} file fields: ${candidates}. Say which with ref or selector.`;
  throw new ToolError('MISSING_PARAMETER', { problems: [problem], accepted: ['paths', 'ref', 'selector'] });
}
