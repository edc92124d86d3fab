import type { ViewNode } from './node.ts';

interface Draft {
  readonly key: string;
  readonly line: string;
  readonly kind: string;
  readonly children: Draft[];
}

/** Reads the lines of Playwright's snapshot into nodes. Pure. */
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
  const ref = /\[ref=((?:f\d+)?e\d+)\]/.exec(line)?.[1];
  const kind = /^'?\/?([\w-]+)/.exec(line)?.[1] ?? 'text';
  return { key: ref ?? `${parentKey}:${index}`, line: line.replace(/:$/, ''), kind, children: [] };
}
