import * as z from 'zod';
import type { Frame, Locator } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { askFrames } from '../../session/agent/ask-frames.ts';
import { frameCode } from '../../session/snapshot/ref-code.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import type { Located } from '../../session/snapshot/target.ts';
import { Code, pageCode } from '../../util/code.ts';
import { cut, oneLine } from '../../util/text.ts';
import { actOnElement, actOnPage } from '../lib/act.ts';
import { actionWait } from '../lib/timeouts.ts';
import type { Wait } from '../forms/select-options.ts';
import {
  labelOf,
  optionalTarget,
  optionalTargetShape,
  needsTarget,
  requiredTarget,
  targetShape,
  timeoutShape,
} from '../lib/argument-shapes.ts';

const fileInput = 'input[type=file]';
const mostCandidates = 10;
const longestName = 60;

export const fileUpload = defineTool({
  name: 'browser_file_upload',
  title: 'Upload files',
  description: 'Upload files to the open file chooser or a file input. Omit paths to cancel.',
  toolsets: ['core', 'viewpoint'],
  uploadsFiles: true,
  effect: 'input',
  scope: 'tab',
  positional: ['paths'],
  input: {
    paths: z.array(z.string()).optional().describe('Files, or one folder'),
    ...optionalTargetShape,
    ...timeoutShape,
  },
  synonyms: { files: 'paths' },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const paths = await resolveUploads(session, args.paths ?? []);
    const target = optionalTarget(args, session);
    const { timeout } = actionWait(settings, args.timeout);
    const options = { failure: { what: 'The upload', timeoutMs: timeout }, loadMs: settings.timeouts.load };
    const names = paths.map(namedFile).join(', ');
    const files = paths.map(({ path }) => path);
    const copies = paths.map(({ copy }) => copy);
    const chooser = tab.choosers.take();
    const clears = chooser === undefined && target !== undefined && args.paths?.length === 0;
    if (files.length === 0 && !clears) {
      if (chooser === undefined) throw new ToolError('MISSING_PARAMETER', noPaths);
      response.text('Cancelled the file chooser.');
      return;
    }
    let code = new Code([{ name: 'fileChooser' }]).call('setFiles', files);
    if (chooser !== undefined) {
      const failure = { ...options.failure, target: 'The file chooser' };
      const give = async (): Promise<void> =>
        chooser.setFiles(copies, { timeout, signal }).catch((error: unknown) => {
          tab.choosers.giveBack(chooser);
          throw error;
        });
      await actOnPage(call, give, { ...options, failure });
      if (target !== undefined) response.note(`The files went to the open file chooser; ${target.given} was not used.`);
    } else if (target === undefined) {
      const { input, frame } = await onlyInput(tab, signal);
      const failure = { ...options.failure, target: 'The file field' };
      await actOnPage(call, async () => input.setInputFiles(copies, { timeout, signal }), { ...options, failure });
      code = frameCode(frame).call('locator', fileInput).call('setInputFiles', files);
    } else {
      let way: UploadMethod = 'field';
      const give = async (found: Located, either: AbortSignal): Promise<void> => {
        way = await uploadFiles(tab, found, copies, { timeout, signal: either });
      };
      const { waitsFully } = actionWait(settings, args.timeout);
      const { located } = await actOnElement(call, { ...options, target, waitsFully, fallback: give, isInput: false });
      code = uploadCode(located.code, way, files);
    }
    response.text(clears ? `Cleared ${oneLine(labelOf(args, target.given))}.` : `Uploaded ${names}.`);
    response.ran(code);
  },
});

export const drop = defineTool({
  name: 'browser_drop',
  title: 'Drop onto an element',
  description: 'Drop files or data onto an element, as if dragged from outside the browser.',
  uploadsFiles: true,
  effect: 'input',
  scope: 'tab',
  positional: ['ref', 'paths'],
  input: {
    ...targetShape,
    paths: z.array(z.string()).optional().describe('Paths of files'),
    data: z.record(z.string(), z.string()).optional().describe('Data by MIME type'),
    ...timeoutShape,
  },
  check: needsTarget,
  synonyms: { path: 'paths' },
  run: async (call) => {
    const { args, session, response, settings } = call;
    const { timeout, waitsFully } = actionWait(settings, args.timeout);
    const paths = await Promise.all((args.paths ?? []).map((path) => session.workspace.uploadable(path)));
    const { data = {} } = args;
    const things = [...paths.map(({ name }) => name), ...Object.keys(data)];
    if (things.length === 0) throw new ToolError('MISSING_PARAMETER', nothingToDrop);
    const copies = await Promise.all(paths.map(({ path }) => session.files.uploads.add(path)));
    const payload = { ...(paths.length === 0 ? {} : { files: copies }), data };
    const shown = { ...(paths.length === 0 ? {} : { files: paths.map(({ path }) => path) }), data };
    const { located } = await actOnElement(call, {
      target: requiredTarget(args, session),
      fallback: async ({ locator }, signal) => locator.drop(payload, { timeout, signal }),
      failure: { what: 'Dropping', timeoutMs: timeout },
      waitsFully,
      loadMs: settings.timeouts.load,
    });
    response.text(`Dropped ${oneLine(things.join(', '))} on ${oneLine(labelOf(args, located.label))}.`);
    response.ran(located.code.call('drop', shown));
  },
});

const noPaths = {
  problems: ['Missing argument "paths": which files. No file chooser is open to cancel.'],
  accepted: ['paths', 'ref'],
};

const nothingToDrop = {
  problems: ['Give paths of files, or data by MIME type, to drop.'],
  accepted: ['ref', 'paths', 'data'],
};

/** Resolves the paths of an upload: files, or one folder. */
export async function resolveUploads(
  { workspace, files: { uploads } }: Pick<Session, 'workspace' | 'files'>,
  paths: readonly string[],
): Promise<readonly UploadPath[]> {
  const found = await Promise.all(paths.map((path) => workspace.resolveUpload(path)));
  const isMixed = found.length > 1 && found.some(({ files }) => files !== undefined);
  if (isMixed) throw new ToolError('INVALID_ARGUMENT', { problems: [oneFolder], accepted: ['paths'] });
  // A folder is given by its path: a copy of it could be large.
  return Promise.all(
    found.map(async (each) => ({ ...each, copy: each.files === undefined ? await uploads.add(each.path) : each.path })),
  );
}

type UploadPath = Awaited<ReturnType<Session['workspace']['resolveUpload']>> & {
  /** What the browser reads. */
  readonly copy: string;
};
const oneFolder = 'Give files, or one folder: a folder cannot be given along with others.';

function namedFile({ name, files }: UploadPath): string {
  const count = files === undefined ? '' : ` (a folder, ${files === 1 ? '1 file' : `${files} files`})`;
  return `${JSON.stringify(oneLine(name))}${count}`;
}

/** How files were uploaded. */
export type UploadMethod = 'field' | 'chooser' | 'drop';

export function uploadCode(element: Code, way: UploadMethod, files: readonly string[]): Code {
  if (way === 'field') return element.call('setInputFiles', files);
  if (way === 'drop') return element.call('drop', { files });
  return pageCode.call('waitForFileChooser', element.call('click')).call('setFiles', files);
}

/** Sets the files of a file input, visible or not; any other element is clicked to open its file chooser. */
export async function uploadFiles(
  tab: Tab,
  { locator, label }: Located,
  files: readonly string[],
  wait: Wait,
): Promise<UploadMethod> {
  const is = await locator.evaluate(fileField, undefined, wait);
  if (is === 'disabled') throw new ToolError('ELEMENT_NOT_CLICKABLE', { target: label, reason: 'it is disabled.' });
  if (is === 'field') {
    await locator.setInputFiles([...files], wait);
    return 'field';
  }
  if (files.length === 0)
    throw new ToolError('ELEMENT_NOT_CLICKABLE', { target: label, reason: 'it is not a file field.' });
  const isBusy = async (): Promise<boolean> => tab.actions.isBusy(wait.signal);
  const chooser = await tab.choosers.openedBy(async () => locator.click(wait), isBusy, wait.signal);
  wait.signal.throwIfAborted();
  // An element that opens no file chooser may be a drop zone; if it is not, the drop fails.
  if (chooser === undefined) await locator.drop({ files: [...files] }, wait);
  else await chooser.setFiles([...files], wait);
  return chooser === undefined ? 'drop' : 'chooser';
}

/** Runs in the page. */
function fileField(element: Element): 'field' | 'disabled' | 'other' {
  if (!(element instanceof HTMLInputElement) || element.type !== 'file') return 'other';
  return element.matches(':disabled') ? 'disabled' : 'field';
}

/** The only file input of the page, visible or not; an error lists the candidates if there are several. */
async function onlyInput(tab: Tab, signal: AbortSignal): Promise<{ readonly input: Locator; readonly frame: Frame }> {
  const inFrame = async (frame: Frame) => (await frame.locator(fileInput).all()).map((input) => ({ input, frame }));
  const found = (await askFrames(tab.page.frames(), inFrame)).flat();
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const fields = found.map(({ input }) => input);
  if (first === undefined) throw new ToolError('NO_FILE_INPUT', {});
  const problem = `There are ${found.length} file inputs: ${await candidates(tab, fields, signal)}. Select one with ref.`;
  throw new ToolError('MISSING_PARAMETER', { problems: [problem], accepted: ['paths', 'ref', 'selector'] });
}

async function candidates(tab: Tab, fields: readonly Locator[], signal: AbortSignal): Promise<string> {
  const some = fields.slice(0, mostCandidates);
  const refs = await tab.refs.refsOf(some, signal);
  const names = await Promise.all(some.map((field) => field.evaluate(nameOf)));
  const lines = names.map((name, i) => `${JSON.stringify(cut(oneLine(name), longestName))} [ref=${refs[i] ?? ''}]`);
  return `${lines.join(', ')}${fields.length > some.length ? ', …' : ''}`;
}

/** Runs in the page: the label or name of a field. */
function nameOf(element: Element): string {
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const label = labels.map((each) => each.textContent.trim()).join(' ');
  return element.getAttribute('aria-label') ?? (label || (element.getAttribute('name') ?? element.id));
}
