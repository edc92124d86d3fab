import type { Frame } from 'playwright-core';
import { pageCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';
import { pageText } from '../../util/text.ts';
import { elementsOf, linesOf } from '../../view/node.ts';
import type { ViewNode } from '../../view/node.ts';
import type { RefInfo } from './snapshot-source.ts';

interface Known {
  /** All refs of the page. */
  readonly refs: ReadonlyMap<string, RefInfo>;
  /** The last snapshot, in document order. */
  readonly nodes: readonly ViewNode[];
}

/** The name of an element in answers. */
export function labelOf({ role, name }: RefInfo): string {
  return name === '' ? role : `${role} ${JSON.stringify(pageText(name))}`;
}

/** Whether role and name do not identify it. */
export function needsPath({ role, name }: RefInfo): boolean {
  return name === '' || role === 'generic';
}

/** Code that finds the element of a ref without refs: by role and name, made unique among similar elements. */
export function refCode(ref: string, info: RefInfo, css: string | undefined, frame: Frame, known: Known): Code {
  const { role } = info;
  const name = writtenName(info);
  const root = frameCode(frame);
  if (needsPath(info)) {
    return css === undefined ? pageCode.call('getByRef', ref) : root.call('locator', css);
  }
  const prefix = ref.replace(/e\d+$/, '');
  const alike = [...known.refs].filter(
    ([other, its]) => its.role === role && isPartOf(name, writtenName(its)) && other.replace(/e\d+$/, '') === prefix,
  );
  if (alike.length < 2) return root.call('getByRole', role, { name });
  const exact = root.call('getByRole', role, { name, exact: true });
  const twins = new Set(alike.filter(([, its]) => writtenName(its) === name).map(([other]) => other));
  if (twins.size < 2) return exact;
  const place = inOrder(known.nodes, twins).indexOf(ref);
  return place < 0 ? exact : exact.call('nth', place);
}

/** Playwright ignores `text-transform` and opacity. */
function writtenName({ name, written }: RefInfo): string {
  return written ?? name;
}

/** As Playwright compares names: a part is enough, and case does not matter. */
function isPartOf(part: string, whole: string): boolean {
  return whole.length >= part.length && whole.toLowerCase().includes(part.toLowerCase());
}

function inOrder(nodes: readonly ViewNode[], refs: ReadonlySet<string>): readonly string[] {
  return [...linesOf(nodes)].flatMap(({ node }) =>
    elementsOf(node).flatMap(({ ref = '' }) => (refs.has(ref) ? [ref] : [])),
  );
}

/** Code that enters a frame. */
export function frameCode(frame: Frame): Code {
  const parent = frame.parentFrame();
  if (parent === null) return pageCode;
  const siblings = parent.childFrames();
  const frames = frameCode(parent).call('locator', 'iframe');
  const one = siblings.length < 2 ? frames : frames.call('nth', siblings.indexOf(frame));
  return one.call('contentFrame');
}
