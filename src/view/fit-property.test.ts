import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitRest, fitView } from './fit.ts';
import { readCursor } from './fold.ts';
import { findNode, linesOf } from './node.ts';
import type { ViewNode } from './node.ts';

interface Shape {
  readonly kind: string;
  readonly hasRef: boolean;
  readonly offscreen: boolean;
  readonly children: readonly Shape[];
}

const kinds = ['list', 'listitem', 'row', 'button', 'link', 'paragraph', 'heading', 'text', 'generic'] as const;

/** A long run of similar items, some of them with a child. */
const longRun = fc
  .record({
    kind: fc.constantFrom(...kinds),
    hasRef: fc.boolean(),
    offscreen: fc.boolean(),
    count: fc.nat({ max: 60 }),
  })
  .map(({ count, ...item }) =>
    Array.from({ length: count }, (_, at): Shape => {
      const inner = { kind: 'button', hasRef: true, offscreen: false, children: [] };
      return { ...item, children: at % 3 === 0 ? [] : [inner] };
    }),
  );

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.record({
    kind: fc.constantFrom(...kinds),
    hasRef: fc.boolean(),
    offscreen: fc.boolean(),
    children: fc.oneof(
      { maxDepth: 3 },
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(tie('shape'), { maxLength: 4 }) },
      { weight: 1, arbitrary: longRun },
    ),
  }),
}));

/** A page, with keys and refs that are unique. */
function pageOf(shapes: readonly Shape[]): readonly ViewNode[] {
  let count = 0;
  const nodeOf = ({ kind, hasRef, offscreen, children }: Shape): ViewNode => {
    const key = `n${++count}`;
    const element = {
      role: kind,
      name: `Name ${count}`,
      ...(hasRef ? { ref: `e${count}` } : {}),
      ...(offscreen ? { offscreen: 'element' as const } : {}),
    };
    return { key, kind, parts: [element], children: children.map(nodeOf) };
  };
  return shapes.map(nodeOf);
}

const keysIn = (nodes: readonly ViewNode[]): readonly string[] =>
  [...linesOf(nodes)].filter(({ node }) => node.kind !== 'fold').map(({ node }) => node.key);

/** Everything that a reader finds who follows every cursor. */
function readAll(page: readonly ViewNode[], first: readonly ViewNode[], most: number): ReadonlySet<string> {
  const read = new Set(keysIn(first));
  const cursors = [...linesOf(first)].flatMap(({ node }) => node.cursor ?? []);
  for (const cursor of cursors) {
    const place = readCursor(cursor);
    expect(place, cursor).toBeDefined();
    const siblings = place === undefined || place.key === '' ? page : (findNode(page, place.key)?.children ?? []);
    const rest = fitRest(siblings.slice(place?.from), { most }, place ?? { key: '', from: 0 });
    for (const key of keysIn(rest)) read.add(key);
    for (const { node } of linesOf(rest))
      if (node.cursor !== undefined && !cursors.includes(node.cursor)) cursors.push(node.cursor);
  }
  return read;
}

test('[C5-11] following every cursor of a folded page gives the whole page, and every ref', () => {
  const limits = fc.record({ most: fc.integer({ min: 100, max: 6000 }), whole: fc.integer({ min: 0, max: 1500 }) });
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 8 }), limits, (shapes, { most, whole }) => {
      const page = pageOf(shapes);
      const read = readAll(page, fitView(page, { most, whole }), most);
      expect([...read].toSorted()).toEqual([...keysIn(page)].toSorted());
    }),
    { numRuns: 300 },
  );
});

test('a page within the limit is shown as it is', () => {
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 4 }), (shapes) => {
      const page = pageOf(shapes);
      expect(fitView(page, { most: 1_000_000 })).toEqual(page);
    }),
    { numRuns: 100 },
  );
});

test('what is wanted is never folded', () => {
  const run = fc.integer({ min: 13, max: 200 });
  fc.assert(
    fc.property(run, fc.nat(), (count, at) => {
      const item: Shape = { kind: 'listitem', hasRef: false, offscreen: true, children: [] };
      const page = pageOf([
        { kind: 'list', hasRef: false, offscreen: false, children: Array.from({ length: count }, () => item) },
      ]);
      const wanted = page[0]?.children[at % count]?.key;
      const shown = fitView(page, { most: 6000, whole: 0, isWanted: ({ key }) => key === wanted });
      expect(keysIn(shown)).toContain(wanted);
    }),
  );
});
