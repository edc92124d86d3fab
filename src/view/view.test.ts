import { describe, expect, test } from 'vitest';
import type { LineElement } from '../page/walk/line.ts';
import { estimateTokens } from '../util/tokens.ts';
import { diffViews } from './diff.ts';
import { fitView } from './fit.ts';
import { readCursor } from './fold.ts';
import { findNode, linesOf, shownLine, textOf } from './node.ts';
import type { ViewNode } from './node.ts';
import { readYaml } from './read-yaml.ts';
import { limitDepth, onlyInView, onlyInteractive, searchView } from './select.ts';
import { wrapLines } from './wrap.ts';

let keys = 0;

/** What the brackets of a test's line mean. */
function partsOf(line: string): ViewNode['parts'] {
  const [{ parts } = { parts: [] }] = readYaml(`- ${line}`);
  return parts.map((part) => {
    if (typeof part === 'string' || part.marks === undefined) return part;
    const marks = part.marks.filter((mark) => !mark.startsWith('offscreen'));
    const isRest = part.marks.includes('offscreen from here on');
    if (marks.length === part.marks.length) return part;
    return { ...part, marks, offscreen: isRest ? 'rest' : 'element' };
  });
}

const node = (kind: string, line: string, children: readonly ViewNode[] = [], key = `e${++keys}`): ViewNode => ({
  key,
  kind,
  parts: partsOf(line === '' ? kind : `${kind} ${line}`),
  children,
});
const row = (index: number): ViewNode => node('listitem', `"Item ${index}" [ref=r${index}]`, [], `r${index}`);
const list = (count: number): ViewNode =>
  node(
    'list',
    '',
    Array.from({ length: count }, (_, index) => row(index)),
    'L',
  );
const text = (nodes: readonly ViewNode[]): string => [...linesOf(nodes)].map((line) => shownLine(line)).join('\n');
/** Folds, and cuts nothing. */
const all = { most: 1_000_000, whole: 0 };
const most = (tokens: number) => ({ most: tokens });

describe('folding', () => {
  test('a short list is shown whole', () => {
    expect(fitView([list(12)], all)).toEqual([list(12)]);
  });

  test('a long run of similar items becomes its first ones and a line with a cursor', () => {
    const lines = text(fitView([list(200)], all)).split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('  - … 192 more like these, cursor="L+8"');
  });

  test('a cursor leads to what was folded', () => {
    const place = readCursor('L+8');
    expect(place).toEqual({ key: 'L', from: 8 });
    const parent = findNode([list(200)], 'L');
    const rest = fitView(parent?.children.slice(8) ?? [], all, { key: 'L', from: 8 });
    expect(text(rest.slice(0, 1))).toBe('- listitem "Item 8" [ref=r8]');
    expect(text(rest.slice(-1))).toBe('- … 184 more like these, cursor="L+16"');
  });

  test('unlike siblings are not folded', () => {
    const mixed = Array.from({ length: 30 }, (_, index) => node(index % 2 === 0 ? 'button' : 'heading', `"${index}"`));
    expect(fitView(mixed, all)).toHaveLength(30);
  });

  test.each(['', 'e12', '12', 'e1+x', 'e 1+2'])('%j is no cursor', (cursor) => {
    expect(readCursor(cursor)).toBeUndefined();
  });
});

describe('texts', () => {
  const lines = (count: number, line = (at: number): string => `| line ${at}`): ViewNode => ({
    key: 'T',
    kind: 'text',
    parts: ['text'],
    children: Array.from({ length: count }, (_, at) => ({
      key: `Tt${at}`,
      kind: 'line',
      parts: [line(at)],
      children: [],
    })),
  });

  test('on a page only the beginning of a long one is shown', () => {
    const shown = text(fitView([node('heading', '"Code"'), lines(30)], all)).split('\n');
    expect(shown.slice(0, 3)).toEqual(['- heading "Code"', '- text:', '  | line 0']);
    expect(shown.slice(-2)).toEqual(['  | line 7', '  - … 22 more lines, cursor="T+8"']);
  });

  test('alone it is shown as far as there is room', () => {
    expect(text(fitView([lines(300)], all)).split('\n')).toHaveLength(301);
    const shown = text(fitView([lines(300)], most(200))).split('\n');
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.at(-1)).toBe(`  - … ${302 - shown.length} more lines, cursor="T+${shown.length - 2}"`);
  });

  test('a long line is wrapped, and no wrapped line contains a part of a redacted text', () => {
    const secret = 'correct horse battery staple';
    const whole = lines(2, (at) => (at === 0 ? `| ${'x'.repeat(185)} ${secret},${'y'.repeat(300)}` : '| z'));
    const [wrapped = whole] = wrapLines([whole], (line) => line.replaceAll(secret, 'hidden'));
    expect(text([wrapped]).split('\n')).toEqual([
      '- text:',
      `  | ${'x'.repeat(185)} hidden,`,
      `  ↳ ${'y'.repeat(200)}`,
      `  ↳ ${'y'.repeat(100)}`,
      '  | z',
    ]);
    expect(new Set(wrapped.children.map(({ key }) => key)).size).toBe(4);
    expect(wrapLines([lines(3)], (line) => line)).toEqual([lines(3)]);
  });

  test('changes of preformatted lines keep their bar', () => {
    const before = [lines(2)];
    const now = [lines(3, (at) => (at === 0 ? '| other' : `| line ${at}`))];
    expect(diffViews({ whole: before, shown: before }, { whole: now, shown: now }).lines).toEqual([
      '~ | other',
      '+ | line 2',
    ]);
  });
});

describe('budgets', () => {
  const page = [
    node(
      'main',
      '',
      Array.from({ length: 40 }, (_, index) => node(index % 2 === 0 ? 'heading' : 'paragraph', `"part ${index}"`)),
      'M',
    ),
    node('contentinfo', '"the end"', [], 'F'),
  ];

  test.each([80, 150, 300])('a page cut to %i tokens is not larger, and says how to go on', (budget) => {
    const fitted = fitView(page, most(budget));
    expect(estimateTokens(text(fitted))).toBeLessThanOrEqual(budget);
    expect(text(fitted)).toMatch(/… \d+ more lines, cursor="M\+\d+"/);
  });

  test('cursors walk the whole page', () => {
    const seen = new Set<string>();
    const waiting = [{ key: '', from: 0 }];
    for (let steps = 0; waiting.length > 0 && steps < 100; steps++) {
      const place = waiting.shift() ?? { key: '', from: 0 };
      const source = place.key === '' ? page : (findNode(page, place.key)?.children ?? []);
      for (const { node: shown } of linesOf(fitView(source.slice(place.from), most(120), place))) {
        const cursor = /cursor="([^"]+)"/.exec(textOf(shown))?.[1];
        const next = cursor === undefined ? undefined : readCursor(cursor);
        if (next === undefined) seen.add(shown.key);
        else waiting.push(next);
      }
    }
    expect([...linesOf(page)].filter(({ node: each }) => !seen.has(each.key))).toEqual([]);
  });

  test('a cut after a fold counts the folded ones', () => {
    const rows = [...list(100).children, node('heading', `"${'long '.repeat(200)}"`, [], 'H')];
    const fitted = fitView(rows, most(120), { key: 'T', from: 0 });
    expect(text(fitted.slice(-1))).toBe('- … 1 more lines, cursor="T+100"');
  });
});

describe('changes', () => {
  const view = (nodes: readonly ViewNode[]): { whole: readonly ViewNode[]; shown: readonly ViewNode[] } => ({
    whole: nodes,
    shown: fitView(nodes, all),
  });

  test('added, removed and changed lines are marked', () => {
    const before = [
      node('button', '"Save"', [], 'a'),
      node('status', '"old"', [], 'b'),
      node('link', '"Help"', [], 'c'),
    ];
    const now = [
      node('button', '"Save" [disabled]', [], 'a'),
      node('link', '"Help"', [], 'c'),
      node('alert', '"Saved"', [], 'd'),
    ];
    expect(diffViews(view(before), view(now)).lines).toEqual([
      '- - status "old"',
      '~ - button "Save" [disabled]',
      '+ - alert "Saved"',
    ]);
  });

  test('added lines are preceded once by their container or heading', () => {
    const page = (extra: boolean): readonly ViewNode[] => {
      const added = (key: string): readonly ViewNode[] => (extra ? [node('text', `: New ${key}`, [], key)] : []);
      return [
        ...added('a'),
        node('heading', '"Orders" [level=2]', [], 'h'),
        ...added('b'),
        node('list', '', [node('listitem', ': One', [], 'o'), ...added('c')], 'l'),
        node(
          'dialog',
          '"Edit: \\"it\\"" [ref=e3] [modal]',
          [node('group', '', [...added('d'), ...added('e')], 'g')],
          'm',
        ),
        node('heading', '"Totals" [level=2]', [], 't'),
      ];
    };
    const { lines } = diffViews(view(page(false)), view(page(true)));
    expect(lines).toEqual([
      '+ - text : New a',
      '@@ heading "Orders" @@',
      '+ - text : New b',
      '+ - text : New c',
      '@@ dialog "Edit: \\"it\\"" [ref=e3] @@',
      '+ - text : New d',
      '+ - text : New e',
    ]);
  });

  test('lines below the only heading of a page need no place', () => {
    const page = (extra: boolean): readonly ViewNode[] => {
      const added = (key: string): readonly ViewNode[] => (extra ? [node('text', `: New ${key}`, [], key)] : []);
      return [...added('a'), node('heading', '"Orders" [level=1]', [], 'h'), ...added('b')];
    };
    const { lines } = diffViews(view(page(false)), view(page(true)));
    expect(lines).toEqual(['@@ page @@', '+ - text : New a', '@@ heading "Orders" @@', '+ - text : New b']);
    const below = page(true).slice(1);
    expect(diffViews(view(page(false)), view(below)).lines).toEqual(['+ - text : New b']);
  });

  test('nothing changed when only focus and scrolling did', () => {
    const before = [node('button', '"Save" [ref=e1]', [], 'a')];
    const now = [node('button', '"Save" [active] [ref=e1] [offscreen]', [], 'a')];
    expect(diffViews(view(before), view(now))).toMatchObject({ lines: [], unseen: [] });
  });

  const el = (role: string, name: string, ref: string, states: readonly string[] = []): LineElement => ({
    role,
    name,
    ref,
    states,
  });
  const form = (city: string, states: readonly string[], total: string): ViewNode['parts'] => [
    { role: 'listitem' },
    ': ',
    'Trip ',
    el('textbox', 'From', 'e1', city === '' ? [] : ['active']),
    city === '' ? ' ' : ` = ${JSON.stringify(city)} `,
    el('textbox', 'To', 'e2'),
    ' ',
    el('checkbox', 'Return', 'e3', states),
    ` ${total} `,
    el('button', 'Search', 'e4'),
  ];
  const table = (count: string, select: string): ViewNode['parts'] => [
    '|Assam tea|from "Upper" India|',
    el('textbox', 'Count', 'e1'),
    ` = ${JSON.stringify(count)}|`,
    el('combobox', '', 'e2'),
    ` = "${select}" (small; large)|in stock|`,
    el('button', 'Delete', 'e3'),
  ];

  test.each([
    [
      'a value',
      form('', [], '5 EUR'),
      form('Bonn', [], '5 EUR'),
      '~ - listitem: Trip textbox "From" [active] [ref=e1] = "Bonn" …',
    ],
    [
      'a value that is gone',
      form('Bonn', [], '5 EUR'),
      form('', [], '5 EUR'),
      '~ - listitem: Trip textbox "From" [ref=e1] …',
    ],
    [
      'a state',
      form('', [], '5 EUR'),
      form('', ['checked'], '5 EUR'),
      '~ - listitem: Trip … checkbox "Return" [checked] [ref=e3] …',
    ],
    ['a text', form('', [], '5 EUR'), form('', [], '6 EUR'), '~ - listitem: Trip … 6 EUR …'],
    [
      'two places',
      form('', [], '5 EUR'),
      form('', ['checked'], '6 EUR'),
      '~ - listitem: Trip … checkbox "Return" [checked] [ref=e3] 6 EUR …',
    ],
    [
      'a value in a row',
      table('1', 'small'),
      table('a|b', 'small'),
      '~ |Assam tea|…|textbox "Count" [ref=e1] = "a|b"|…',
    ],
    ['a choice in a row', table('1', 'small'), table('1', 'large'), '~ |Assam tea|…|…|combobox [ref=e2] = "large"…'],
    ['a cell', ['|Tea|black|1.20|10 pieces in stock'], ['|Tea|black|1.30|10 pieces in stock'], '~ |Tea|…|1.30|…'],
    [
      'a quoted line',
      [
        { role: 'listitem' },
        ': ',
        "'",
        'Price: 5 ',
        el('button', 'More of it', 'e1'),
        ' ',
        el('button', 'Less of it', 'e2'),
        "'",
      ],
      [
        { role: 'listitem' },
        ': ',
        "'",
        'Price: 6 ',
        el('button', 'More of it', 'e1'),
        ' ',
        el('button', 'Less of it', 'e2'),
        "'",
      ],
      "~ - listitem: 'Price: 6 …'",
    ],
    [
      'an element that was added',
      [{ role: 'listitem' }, ': ', el('link', 'Report of the year', 'e1'), ' 12 pages, 2 images'],
      [
        { role: 'listitem' },
        ': ',
        el('link', 'Report of the year', 'e1'),
        ' ',
        el('img', 'New', 'e2'),
        ' 12 pages, 2 images',
      ],
      '~ - listitem: … img "New" [ref=e2] …',
    ],
  ] as const)('of a line with several elements only %s is repeated, with its place', (_, before, now, line) => {
    const of = (parts: ViewNode['parts']): ViewNode => ({ key: 'a', kind: 'listitem', parts, children: [] });
    expect(diffViews(view([of(before)]), view([of(now)])).lines).toEqual([line]);
  });

  test('a short line is repeated whole', () => {
    const of = (count: string): ViewNode => ({ key: 'a', kind: 'row', parts: [`|Tea|1|${count}`], children: [] });
    expect(diffViews(view([of('2')]), view([of('3')])).lines).toEqual(['~ |Tea|1|3']);
  });

  test('a text that was typed into a field of a line is not repeated', () => {
    const of = (city: string): ViewNode => ({ key: 'a', kind: 'listitem', parts: form(city, [], '5'), children: [] });
    const typed = (text: string): unknown => diffViews(view([of('')]), view([of('Bonn')]), { typed: text });
    expect(typed('Bonn')).toMatchObject({ lines: [], isTypedLeftOut: true });
    expect(typed('Berlin')).toMatchObject({ lines: [expect.any(String)], isTypedLeftOut: false });
  });

  test('a removed part is one line with its size', () => {
    const before = [node('dialog', '"Sure?"', [node('button', '"Yes"'), node('button', '"No"')], 'a')];
    expect(diffViews(view(before), view([])).lines).toEqual(['- - dialog "Sure?" (and 2 lines in it)']);
  });

  test('a change in folded lines is counted, not shown', () => {
    const before = view([list(100)]);
    const changed = {
      ...list(100),
      children: list(100).children.map((each) => (each.key === 'r70' ? { ...each, parts: ['listitem "New"'] } : each)),
    };
    expect(diffViews(before, view([changed]))).toMatchObject({ lines: [], unseen: [{ key: 'r70' }] });
  });

  test('a row that a new one moves into the fold is not reported as removed', () => {
    const before = view([list(100)]);
    const grown = { ...list(100), children: [node('listitem', '"First"', [], 'new'), ...list(100).children] };
    const { lines } = diffViews(before, view([grown]));
    expect(lines).toEqual(['+ - listitem "First"', '~ - … 93 more like these, cursor="L+8"']);
  });
});

describe('parts', () => {
  const page = [
    node('banner', '', [node('link', '"Home" [ref=e1]', [], 'h'), node('text', 'Welcome', [], 't')], 'b'),
    node(
      'main',
      '',
      [node('button', '"Buy" [ref=e2]', [], 'y'), node('button', '"Later" [ref=e3] [offscreen from here on]', [], 'l')],
      'm',
    ),
    node('contentinfo', '', [node('link', '"Imprint" [ref=e4]', [], 'i')], 'f'),
  ];

  test('depth omits deeper levels and counts them', () => {
    expect(text(limitDepth(page, 1))).toBe(
      '- banner: (2 things in it)\n- main: (2 things in it)\n- contentinfo: (1 thing in it)',
    );
  });

  test('only interactive elements', () => {
    expect(onlyInteractive(page).map(({ key }) => key)).toEqual(['h', 'y', 'l', 'i']);
  });

  test('only what is in the viewport', () => {
    expect(text(onlyInView(page))).toBe(
      '- banner:\n  - link "Home" [ref=e1]\n  - text Welcome\n- main:\n  - button "Buy" [ref=e2]',
    );
  });

  test('a search shows matching lines under their ancestors', () => {
    const { nodes, count } = searchView(page, 'imprint');
    expect(count).toBe(1);
    expect(text(nodes)).toBe('- contentinfo:\n  - link "Imprint" [ref=e4]');
  });

  test('a search without a match finds nothing', () => {
    expect(searchView(page, 'zebra')).toEqual({ nodes: [], count: 0 });
  });
});
