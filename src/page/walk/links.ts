import { tidy } from './text.ts';

const longest = 80;

/** Link targets, told as what differs from the page's own address. */
export class Links {
  readonly #base: string;
  readonly #page: URL | undefined;
  readonly #path: string;

  constructor(base: string) {
    this.#base = base;
    this.#page = URL.canParse(base) ? new URL(base) : undefined;
    this.#path = this.#page === undefined ? '' : this.#page.pathname + this.#page.search;
  }

  /** Undefined when the target says nothing. */
  short(href: string): string | undefined {
    const raw = tidy(href);
    if (raw === '' || /^javascript:/i.test(raw)) return undefined;
    if (/^data:/i.test(raw)) return `${raw.slice(0, 20)}…`;
    const short = tidy(this.#differing(raw));
    return short.length > longest ? `${short.slice(0, longest)}…` : short;
  }

  #differing(raw: string): string {
    // Most links are written short; parsing an address costs more than all the rest of a line.
    if (/^[#/](?!\/)/.test(raw)) return this.#local(raw);
    if (this.#page === undefined || !URL.canParse(raw, this.#base)) return raw;
    const target = new URL(raw, this.#base);
    if (target.origin === this.#page.origin && target.origin !== 'null') {
      return this.#local(target.pathname + target.search + target.hash);
    }
    const short = target.protocol === this.#page.protocol ? target.href.slice(target.protocol.length) : target.href;
    return target.pathname === '/' && target.search === '' && target.hash === '' ? short.replace(/\/$/, '') : short;
  }

  #local(path: string): string {
    return path.startsWith(`${this.#path}#`) ? path.slice(this.#path.length) : path;
  }
}
