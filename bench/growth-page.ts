import type { Route } from './site.ts';

/** Long enough for every server to answer the navigation before the page grows. */
const growAfterMs = 2000;
const deadlineMs = 60_000;

const page = (elements: number, id: string): string =>
  `<!doctype html><html lang="en"><head><title>Growth</title><link rel="icon" href="data:,"></head><body>
<h1>Growth</h1><p><button id="change" type="button">Change</button></p><p id="out">count 0</p><main></main>
<script>
let count = 0;
document.getElementById('change').addEventListener('click', () => {
  document.getElementById('out').textContent = 'count ' + ++count;
});
const item = (i) => '<div class="item"><span>Text ' + i + '</span> <a href="/p/' + i + '">Link ' + i +
  '</a> <button type="button">Do ' + i + '</button> <em>note ' + i + '</em></div>';
setTimeout(() => {
  document.querySelector('main').innerHTML = Array.from({ length: ${Math.round(elements / 5)} }, (_, i) => item(i)).join('');
  requestAnimationFrame(() => requestAnimationFrame(() => void fetch('/growth/grown?id=${id}')));
}, ${growAfterMs});
</script></body></html>`;

/**
 * Pages that are nearly empty when they load and grow afterwards. Servers take a snapshot of a page when they open it;
 * with a complete page, the measured snapshot would not be the first.
 */
export class GrowthPages {
  readonly #waiting = new Map<string, () => void>();

  readonly route: Route = ({ pathname, searchParams }) => {
    const id = searchParams.get('id') ?? '';
    if (pathname === '/growth') return { body: page(Number(searchParams.get('elements')), id) };
    if (pathname !== '/growth/grown') return undefined;
    this.#waiting.get(id)?.();
    return { body: 'thanks', type: 'text/plain' };
  };

  path(elements: number, id: string): string {
    return `/growth?elements=${elements}&id=${id}`;
  }

  /** Resolves once the page with this id has grown and was rendered. Call it before opening the page. */
  async grown(id: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        timer = setTimeout(() => reject(new Error(`The page did not grow within ${deadlineMs} ms`)), deadlineMs);
        timer.unref();
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }
}
