import { tidy } from './text.ts';

const longest = 80;

/** Link targets, relative to the page's URL. */
export class Links {
  readonly #base: string;
  readonly #page: URL | undefined;
  readonly #path: string;

  constructor(base: string) {
    this.#base = base;
    this.#page = URL.canParse(base) ? new URL(base) : undefined;
    this.#path = this.#page === undefined ? '' : this.#page.pathname + this.#page.search;
  }

  /** Undefined for an empty target or a script. */
  short(href: string): string | undefined {
    const raw = tidy(href);
    if (raw === '' || /^javascript:/i.test(raw)) return undefined;
    if (/^data:/i.test(raw)) return `${raw.slice(0, 20)}…`;
    // A bracket could begin an attribute.
    const short = tidy(this.#differing(raw)).replaceAll('[', '%5B');
    return short.length > longest ? `${short.slice(0, longest)}…` : short;
  }

  #differing(raw: string): string {
    // Most links are relative already, and parsing a URL is the most expensive part of a line.
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
