import type { Frame } from 'playwright-core';
import { pageCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';
import { pageText } from '../../util/text.ts';
import { elementsOf, linesOf } from '../../view/node.ts';
import type { ViewNode } from '../../view/node.ts';
import type { Found } from '../../page/protocol.ts';
import type { RefInfo } from './snapshot-source.ts';

/** The element of a ref, as the page agent found it. */
type FoundElement = Pick<Extract<Found, { readonly is: 'here' }>, 'css' | 'testId' | 'isAriaHidden'>;

/** Roles whose elements a locator by role alone finds, as snapshots name them. */
const rolesAlone: ReadonlySet<string> = new Set(
  'button checkbox combobox link listbox radio searchbox slider spinbutton switch textbox'.split(' '),
);

interface Known {
  /** All refs of the page. */
  readonly refs: ReadonlyMap<string, RefInfo>;
  /** The last snapshot, in document order. */
  readonly nodes: readonly ViewNode[];
  /** The ref in that snapshot, if the element was re-rendered since. */
  readonly was?: string;
}

/** The name of an element in answers. */
export function labelOf({ role, name }: RefInfo): string {
  return name === '' ? role : `${role} ${JSON.stringify(pageText(name))}`;
}

/** Whether role and name do not identify it. */
export function needsPath({ role, name }: RefInfo): boolean {
  return name === '' || role === 'generic';
}

/**
 * Code that finds the element of a ref without refs: by test id, by role and name, made unique among similar elements, or
 * by a CSS path.
 */
export function refCode(ref: string, info: RefInfo, found: FoundElement, frame: Frame, known: Known): Code {
  const { role } = info;
  const { css, testId } = found;
  const name = writtenName(info);
  const root = frameCode(frame);
  if (testId !== undefined) return root.call('getByTestId', testId);
  const prefix = ref.replace(/e\d+$/, '');
  const shown = known.was ?? ref;
  // The ref from before the re-render is the same element.
  const alike = [...known.refs].filter(
    ([other, its]) =>
      (other === shown || other !== ref) &&
      its.role === role &&
      isPartOf(name, writtenName(its)) &&
      other.replace(/e\d+$/, '') === prefix,
  );
  if (needsPath(info) || found.isAriaHidden === true) {
    const isByRole = found.isAriaHidden !== true && rolesAlone.has(role) && alike.length < 2;
    if (isByRole) return root.call('getByRole', role);
    return css === undefined ? pageCode.call('getByRef', ref) : root.call('locator', css);
  }
  if (alike.length < 2) return root.call('getByRole', role, { name });
  const exact = root.call('getByRole', role, { name, exact: true });
  const twins = new Set(alike.filter(([, its]) => writtenName(its) === name).map(([other]) => other));
  if (twins.size < 2) return exact;
  const place = inOrder(known.nodes, twins).indexOf(shown);
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
