import * as z from 'zod';
import type { Frame } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import type { ExtractRequest, ExtractResult } from '../../page/extract/request.ts';
import { askFrames } from '../../session/agent/ask-frames.ts';
import type { Target } from '../../session/snapshot/target.ts';
import { aimAt } from '../lib/argument-shapes.ts';
import { neverCalled, withText } from '../lib/page-function.ts';
import { refOf } from '../reading/content.ts';
import type { ReadingCall } from '../reading/content.ts';

const mostFrames = 8;
// The page can change what its functions return in frames, where there is no world of our own.
const raw = z.union([z.string(), z.array(z.string()), z.null()]);
const cell = z.object({ text: z.string(), isHeader: z.boolean(), columns: z.number(), rows: z.number() });
const result = z.object({
  parts: z.array(z.object({ items: z.array(z.record(z.string(), raw)), count: z.number(), from: z.string() })),
  tables: z.array(
    z.object({ caption: z.string(), rows: z.array(z.object({ isHead: z.boolean(), cells: z.array(cell) })) }),
  ),
  metadata: z.record(z.string(), z.unknown()).optional(),
  next: z.object({ url: z.string().optional(), isScripted: z.boolean() }).optional(),
  invalid: z.string().optional(),
  names: z.array(z.string()),
});

export type Extracted = z.output<typeof result>;

interface Extractor {
  readonly page: (request: ExtractRequest) => ExtractResult;
  readonly element: (element: Element, request: ExtractRequest) => ExtractResult;
}

async function loadExtractor(): Promise<Extractor> {
  const { source } = await import('pagehelm:page-extractor');
  return {
    page: withText((): ExtractResult => neverCalled(), `(request) => (${source})(request)`),
    element: withText((): ExtractResult => neverCalled(), `(element, request) => (${source})(request, element)`),
  };
}

/** Extracts from the page, from an element, or, if the page itself has nothing, from the frame that has most. */
export async function extractFrom(
  call: ReadingCall,
  request: ExtractRequest,
  target: Target | undefined,
): Promise<Extracted> {
  const { tab, response, signal } = call;
  response.attempt({ what: 'Extracting', url: tab.page.url(), ...aimAt(target) });
  const observed = await tab.observe(signal);
  const extractor = await loadExtractor();
  const ref = target === undefined ? undefined : await refOf(call, target);
  const read =
    target !== undefined && ref?.startsWith('f') === true
      ? await (await tab.refs.locate(target, observed, signal)).locator.evaluate(extractor.element, request)
      : await tab.readInPage(extractor.page, { ...request, ref });
  if (read === undefined) throw new ToolError('PAGE_UNRESPONSIVE', { url: tab.page.url() });
  const own = result.parse(read);
  const children = tab.page.frames().filter((frame) => frame.parentFrame() !== null);
  if (target !== undefined || own.invalid !== undefined || amountOf(own) > 0 || children.length === 0) return own;
  const inFrame = async (frame: Frame): Promise<Extracted> =>
    result.parse(await frame.evaluate(extractor.page, request));
  const others = await askFrames(children.slice(0, mostFrames), inFrame);
  const [most] = others.toSorted((a, b) => amountOf(b) - amountOf(a));
  return most !== undefined && amountOf(most) > 0 ? { ...most, ...(own.next && { next: own.next }) } : own;
}

/** How many values were found. */
export function amountOf({ parts, tables, metadata = {} }: Extracted): number {
  const values = parts.flatMap(({ items }) => items.flatMap((item) => Object.values(item)));
  return (
    values.filter((value) => value !== null && value.length > 0).length + tables.length + Object.keys(metadata).length
  );
}
