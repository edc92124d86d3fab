/**
 * Nodes and refs of a walk as tuples. A page has thousands of them, and without the property names the message is about
 * half as large.
 */
import type { RefEntry, WalkNode, WalkResult } from './items.ts';
import type { LineElement, LinePart } from './line.ts';

/** 0 stands for a missing value; missing values at the end are left out. */
type Optional<T> = T | 0;

type PackedElement = readonly [
  role: string,
  ref?: Optional<string>,
  name?: Optional<string>,
  states?: Optional<readonly string[]>,
  marks?: Optional<readonly string[]>,
  offscreen?: Optional<'element' | 'rest'>,
  isQuoted?: true,
];

type PackedPart = string | PackedElement;

/** The role is 0 where it is the role of the first part. A node without a role has not changed. */
type PackedNode =
  | readonly [depth: number, key: string]
  | readonly [depth: number, key: string, role: Optional<string>, ...parts: readonly PackedPart[]];

/** Only the ref where role and name are those of the element in the line. */
type PackedRef = string | Readonly<RefEntry>;

export interface Packed {
  readonly nodes: readonly PackedNode[];
  readonly refs: readonly PackedRef[];
}

type Unpacked = { readonly nodes: readonly WalkNode[] } & Pick<WalkResult, 'refs'>;

export function pack(nodes: readonly WalkNode[], refs: WalkResult['refs']): Packed {
  const elements = new Map<string, LineElement>();
  const packed = nodes.map(({ depth, key, role, parts, isSame }): PackedNode => {
    if (isSame === true) return [depth, key];
    const [first] = parts;
    const isFirst = first !== undefined && typeof first !== 'string' && first.role === role;
    return [depth, key, isFirst ? 0 : role, ...parts.map((part) => packedPart(part, elements))];
  });
  const others = refs.map((entry): PackedRef => {
    const [ref, role, name, written] = entry;
    const element = elements.get(ref);
    return written === undefined && element?.role === role && (element.name ?? '') === name ? ref : entry;
  });
  return { nodes: packed, refs: others };
}

function packedPart(part: LinePart, elements: Map<string, LineElement>): PackedPart {
  if (typeof part === 'string') return part;
  const { role, ref = 0, name = 0, states = 0, marks = 0, offscreen = 0, isQuoted } = part;
  if (ref !== 0) elements.set(ref, part);
  if (isQuoted === true) return [role, ref, name, states, marks, offscreen, isQuoted];
  if (offscreen !== 0) return [role, ref, name, states, marks, offscreen];
  if (marks !== 0) return [role, ref, name, states, marks];
  if (states !== 0) return [role, ref, name, states];
  if (name !== 0) return [role, ref, name];
  return ref === 0 ? [role] : [role, ref];
}

export function unpack({ nodes, refs }: Packed): Unpacked {
  const elements = new Map<string, LineElement>();
  const unpacked = nodes.map(([depth, key, role, ...packedParts]): WalkNode => {
    if (role === undefined) return { depth, key, role: '', parts: [], isSame: true };
    const parts = packedParts.map((part) => (typeof part === 'string' ? part : elementOf(part, elements)));
    const [first] = parts;
    const ownRole = role === 0 && first !== undefined && typeof first !== 'string' ? first.role : role;
    return { depth, key, role: ownRole === 0 ? '' : ownRole, parts };
  });
  const entries = refs.map((entry): RefEntry => {
    if (typeof entry !== 'string') return [...entry];
    const { role = '', name = '' } = elements.get(entry) ?? {};
    return [entry, role, name];
  });
  return { nodes: unpacked, refs: entries };
}

function elementOf(packed: PackedElement, elements: Map<string, LineElement>): LineElement {
  const [role, ref = 0, name = 0, states = 0, marks = 0, offscreen = 0, isQuoted] = packed;
  const element = {
    role,
    ...(name === 0 ? {} : { name }),
    ...(states === 0 ? {} : { states }),
    ...(ref === 0 ? {} : { ref }),
    ...(marks === 0 ? {} : { marks }),
    ...(offscreen === 0 ? {} : { offscreen }),
    ...(isQuoted === undefined ? {} : { isQuoted }),
  };
  if (ref !== 0) elements.set(ref, element);
  return element;
}
