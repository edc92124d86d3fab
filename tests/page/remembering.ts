import type { WalkNode, WalkResult } from '../../src/page/walk/items.ts';
import { lineText } from '../../src/page/walk/line.ts';
import { generated } from './generate.ts';
import type { Seen } from './harness.ts';

/** The server's reconstruction of a page from incremental walks. */
export class Reader {
  readonly #seen: Seen;
  nodes: readonly WalkNode[] = [];
  same = 0;
  #walk: string | undefined;

  constructor(seen: Seen) {
    this.#seen = seen;
  }

  async look(): Promise<void> {
    this.#take(await this.#seen.walk({ nodes: true }, undefined, this.#walk));
  }

  /** Lines of the page, reconstructed from incremental walks. */
  get lines(): readonly string[] {
    return linesOf(this.nodes);
  }

  #take({ nodes = [], walk }: WalkResult): void {
    this.#walk = walk;
    this.same = nodes.filter((node) => node.isSame).length;
    const places = new Map(this.nodes.map(({ key }, at) => [key, at]));
    this.nodes = nodes.flatMap((node) => (node.isSame === true ? this.#subtree(places.get(node.key)) : [node]));
  }

  #subtree(start = -1): readonly WalkNode[] {
    const top = this.nodes[start];
    if (top === undefined) throw new Error('taken as known, but never told');
    let end = start + 1;
    while ((this.nodes[end]?.depth ?? -1) > top.depth) end++;
    return this.nodes.slice(start, end);
  }
}

function linesOf(nodes: readonly WalkNode[]): readonly string[] {
  return nodes.map(({ depth, parts }) => `${'  '.repeat(depth)}- ${lineText(parts)}`);
}

/** The page from a full walk: setting any option, even to its default, disables the cache. */
export async function afresh(seen: Seen): Promise<readonly string[]> {
  return linesOf((await seen.walk({ nodes: true, maxText: 200 })).nodes ?? []);
}

/** Changes an element of the page by script. */
function disturb(seed: number): void {
  const elements = [...document.body.querySelectorAll<HTMLElement>('*')];
  const element = elements[(seed * 7919) % elements.length];
  const other = elements[(seed * 104_729) % elements.length];
  if (element === undefined || other === undefined) return;
  const deeds: readonly (() => void)[] = [
    () => element.append(` text ${seed}`),
    () => element.setAttribute('class', ['blk', 'inl', 'ptr', 'con', 'vh', 'vv', ''][seed % 7] ?? ''),
    () => element.toggleAttribute('hidden'),
    () => element.remove(),
    () => element.after(other.cloneNode(true)),
    () => element.setAttribute('aria-label', `label ${seed}`),
    () => element.toggleAttribute('aria-hidden'),
    () => element.style.setProperty('display', seed % 2 === 0 ? 'none' : 'block'),
    () => element.setAttribute('role', ['button', 'group', 'none', 'list'][seed % 4] ?? ''),
    () => element.focus(),
    () => element.toggleAttribute('disabled'),
    () => element.toggleAttribute('open'),
    () => {
      const fields = document.querySelectorAll<HTMLInputElement>('input:not([type=file])');
      const field = fields[seed % fields.length];
      if (field !== undefined && field.type === 'checkbox') field.checked = !field.checked;
      else if (field !== undefined && field.type === 'text') field.value = `value ${seed}`;
    },
    () => {
      if (!other.contains(element) && !element.contains(other)) other.append(element);
    },
  ];
  deeds[seed % deeds.length]?.();
}

interface Trial {
  /** The seed of the first page. */
  readonly first: number;
  readonly pages: number;
  readonly steps: number;
}

/** Differences between incremental and full walks, on large pages that change at random. */
export async function disagreements(seen: Seen, { first, pages, steps }: Trial): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let seed = first; seed < first + pages; seed++) {
    const reader = new Reader(seen);
    await seen.show(Array.from({ length: 30 }, (_, at) => generated(seed * 1000 + at)).join('\n'));
    await reader.look();
    let same = 0;
    for (let step = 1; step <= steps; step++) {
      await seen.page.evaluate(disturb, seed * 10_000 + step);
      await reader.look();
      same += reader.same;
      const expected = await afresh(seen);
      const at = expected.findIndex((line, index) => line !== reader.lines[index]);
      if (at < 0 && expected.length === reader.lines.length) continue;
      wrong.push(`page ${seed}, step ${step}: ${expected[at]} was told as ${reader.lines[at]}`);
      break;
    }
    if (same === 0) wrong.push(`page ${seed}: nothing was taken from memory`);
  }
  return wrong;
}
