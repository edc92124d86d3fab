import type { Random } from '../random.ts';

/** One step of the random work; both contestants take the same kinds of steps. */
export type Step = 'navigate' | 'snapshot' | 'click' | 'type' | 'evaluate';

/** Each step up to its share of all. */
const shares: readonly (readonly [Step, number])[] = [
  ['navigate', 0.2],
  ['snapshot', 0.4],
  ['click', 0.75],
  ['type', 0.9],
];

export function nextStep(random: Random): Step {
  const number = random.next();
  return shares.find(([, share]) => number < share)?.[0] ?? 'evaluate';
}

export const readCount = '() => Number(localStorage.count ?? 0)';

const items = Array.from(
  { length: 200 },
  (_, index) => `<li><a href="#item-${index}">Item ${index}</a> of the list</li>`,
);

/** A page with a button that counts its clicks at the site and in localStorage. */
export function workPage(who: string, round: string): string {
  return `<!doctype html><title>Work ${who} ${round}</title>
<h1>Work</h1><label>Name <input id="name"></label><button id="go">Go</button><p id="out">0</p><ul>${items.join('')}</ul>
<script>
  const data = Array.from({ length: 20000 }, (_, index) => ({ index, text: 'row ' + index }));
  document.getElementById('go').onclick = () => {
    localStorage.count = Number(localStorage.count ?? 0) + 1;
    document.getElementById('out').textContent = localStorage.count;
    fetch('/count?who=${who}', { method: 'POST', keepalive: true });
  };
</script>`;
}
