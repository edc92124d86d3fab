import { Site } from '../site.ts';
import { workPage } from './work.ts';

/** Serves the pages of the work and counts the clicks of each worker. */
export class CountingSite implements AsyncDisposable {
  readonly #site: Site;
  readonly #counts: Map<string, number>;

  private constructor(site: Site, counts: Map<string, number>) {
    this.#site = site;
    this.#counts = counts;
  }

  static async open(): Promise<CountingSite> {
    const counts = new Map<string, number>();
    const page = (url: URL): { readonly body: string } | undefined => {
      if (url.pathname !== '/work') return undefined;
      return { body: workPage(url.searchParams.get('who') ?? '', url.searchParams.get('round') ?? '') };
    };
    const count = (url: URL): { readonly body: string } | undefined => {
      if (url.pathname !== '/count') return undefined;
      const who = url.searchParams.get('who') ?? '';
      counts.set(who, (counts.get(who) ?? 0) + 1);
      return { body: 'ok' };
    };
    return new CountingSite(await Site.open([page, count]), counts);
  }

  get origin(): string {
    return this.#site.at('');
  }

  /** The page of a worker. */
  url(who: string, round: number): string {
    return this.#site.at(`/work?who=${who}&round=${round}`);
  }

  clicksOf(who: string): number {
    return this.#counts.get(who) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#site[Symbol.asyncDispose]();
  }
}
