import type { Item } from './items.ts';

/** Counters of a walk; a part from memory adds its earlier counts. */
export interface Counts {
  readonly nodes: number;
  readonly boxes: number;
  readonly colours: number;
  readonly unread: number;
  readonly suspects: number;
  readonly modals: number;
}

/** The state of a walk across elements. */
export class Progress {
  nodes = 0;
  /** How many boxes were measured, and how many text colours compared: both are limited. */
  boxes = 0;
  colours = 0;
  /** How many elements under style sheets that cannot be read were checked for hiding properties. */
  unread = 0;
  /** Invisible texts that read like instructions to an agent. */
  suspects = 0;
  /** Modal dialogs, which are printed first. */
  modals = 0;
  /** Counts what cannot be remembered: frames, and elements shown in another place than their own (`aria-owns`). */
  unrememberable = 0;
  bound: 'nodes' | 'time' | 'depth' | 'text' | undefined;
  lastAction: Item | undefined;
  readonly #mostNodes: number;
  readonly #until: number;

  constructor(mostNodes: number, mostMs: number) {
    this.#mostNodes = mostNodes;
    this.#until = performance.now() + mostMs;
  }

  /** Counts a node; true once a limit is reached. */
  isOver(): boolean {
    if (this.bound === 'nodes' || this.bound === 'time') return true;
    this.nodes++;
    if (this.nodes > this.#mostNodes) this.bound = 'nodes';
    else if ((this.nodes & 127) === 0 && performance.now() > this.#until) this.bound = 'time';
    return this.bound === 'nodes' || this.bound === 'time';
  }

  hasRoomFor(nodes: number): boolean {
    return this.nodes + nodes <= this.#mostNodes;
  }

  get counts(): Counts {
    const { nodes, boxes, colours, unread, suspects, modals } = this;
    return { nodes, boxes, colours, unread, suspects, modals };
  }

  add({ nodes, boxes, colours, unread, suspects, modals }: Counts): void {
    this.nodes += nodes;
    this.boxes += boxes;
    this.colours += colours;
    this.unread += unread;
    this.suspects += suspects;
    this.modals += modals;
  }

  countsSince(before: Counts): Counts {
    return {
      nodes: this.nodes - before.nodes,
      boxes: this.boxes - before.boxes,
      colours: this.colours - before.colours,
      unread: this.unread - before.unread,
      suspects: this.suspects - before.suspects,
      modals: this.modals - before.modals,
    };
  }
}
