import type { LineElement, LinePart } from '../page/walk/line.ts';
import type { ViewNode } from './node.ts';

interface Draft {
  readonly key: string;
  readonly parts: readonly LinePart[];
  readonly kind: string;
  readonly children: Draft[];
}

/** Parses Playwright's snapshot. Pure. */
export function readYaml(text: string): readonly ViewNode[] {
  const root: Draft[] = [];
  const path: { readonly depth: number; readonly draft: Draft }[] = [];
  for (const raw of text.split('\n')) {
    const match = /^( *)- (.*)$/.exec(raw);
    if (match === null) continue;
    const depth = (match[1] ?? '').length / 2;
    while ((path.at(-1)?.depth ?? -1) >= depth) path.pop();
    const parent = path.at(-1)?.draft;
    const siblings = parent?.children ?? root;
    const draft = draftOf((match[2] ?? '').trimEnd(), parent?.key ?? '', siblings.length);
    siblings.push(draft);
    path.push({ depth, draft });
  }
  return root;
}

function draftOf(line: string, parentKey: string, index: number): Draft {
  const key = `${parentKey}:${index}`;
  const read = readHead(line);
  if (read === undefined) {
    const kind = /^'?\/?([\w-]+)/.exec(line)?.[1] ?? 'text';
    return { key, parts: [line.replace(/:$/, '')], kind, children: [] };
  }
  const { element, rest } = read;
  const after = rest === ':' || rest === '' ? [] : [rest];
  const parts = element.isQuoted === true ? ["'", element, "'", ...after] : [element, ...after];
  return { key: element.ref ?? key, parts, kind: element.role, children: [] };
}

/** `role "name" [state] [ref=e1] [mark]`, as a key that may be in single quotes, and what follows it. */
function readHead(line: string): { readonly element: LineElement; readonly rest: string } | undefined {
  const key = /^'((?:[^']|'')*)'(?=:|$)/.exec(line);
  const text = key === null ? line : (key[1] ?? '').replaceAll("''", "'");
  const head = /^([a-z][\w-]*)(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)(?=:|$)/.exec(text);
  // Texts and properties are not elements.
  if (head === null || (head[1] === 'text' && head[3] === '')) return undefined;
  const [whole, role = '', name = '""', brackets = ''] = head;
  const attributes = [...brackets.matchAll(/ \[([^\]]*)\]/g)].map(([, attribute = '']) => attribute);
  const at = attributes.findIndex((attribute) => /^ref=(?:f\d+)?e\d+$/.test(attribute));
  const element = {
    role,
    ...(name === '""' ? {} : { name: unquoted(name) }),
    states: at < 0 ? attributes : attributes.slice(0, at),
    ...(at < 0 ? {} : { ref: (attributes[at] ?? '').slice('ref='.length), marks: attributes.slice(at + 1) }),
    ...(key === null ? {} : { isQuoted: true as const }),
  };
  return { element, rest: key === null ? line.slice(whole.length) : line.slice(key[0].length) };
}

function unquoted(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return name.slice(1, -1);
  }
}
