import { absolute, isShown, queryDeep, squeezed } from './query.ts';
import type { NextPage } from './request.ts';

const nextWords =
  /^(?:next(?: page| »| ›| →)?|older(?: posts| entries)?|weiter|nächste(?: seite)?|vor|suivante?|page suivante|siguiente|próxima?|seguinte|volgende|avanti|successiva|successivo|næste|nästa|neste|następna|další|далее|следующая|下一页|下一頁|次へ|次のページ|다음|[»›→>]|>>)$/iu;
const pagers = 'nav, [role=navigation], [class*=pag i], [id*=pag i], [class*=next i]';

/** The link to the next page of a list: what the selector names, else what the page marks or calls so. */
export function nextPage(selector: string): NextPage | undefined {
  const { documentElement: root } = document;
  if (selector !== '') return asNext(queryDeep(root, selector)[0]);
  const marked = queryDeep(root, 'a[rel~=next i][href], link[rel~=next i][href], area[rel~=next i][href]');
  if (marked[0] !== undefined) return asNext(marked[0]);
  const controls = queryDeep(root, 'a, button, [role=link], [role=button]').filter(isShown);
  const named = controls.filter((control) => namesOf(control).some((name) => nextWords.test(name)));
  const inPager = named.find(
    (control) => control.closest(pagers) !== null && control.closest('[rel~=prev i]') === null,
  );
  // Without a pager, only a word is sure: an arrow may belong to a slide show.
  const found =
    inPager ?? named.find((control) => namesOf(control).some((name) => /\p{L}{3}/u.test(name) && nextWords.test(name)));
  return asNext(found ?? afterCurrent(root));
}

function namesOf(control: Element): readonly string[] {
  const names = [control.textContent, control.getAttribute('aria-label'), control.getAttribute('title')];
  return names.map((name) => squeezed(name ?? '')).filter((name) => name !== '');
}

/** The link after the number of the current page. */
function afterCurrent(root: Element): Element | undefined {
  const current = queryDeep(root, '[aria-current=page], .pagination .active, .pager .current').find((element) =>
    /^\d+$/.test(squeezed(element.textContent ?? '')),
  );
  if (current === undefined) return undefined;
  const wanted = String(Number(squeezed(current.textContent ?? '')) + 1);
  const pager = current.closest(pagers);
  return [...(pager?.querySelectorAll('a[href]') ?? [])].find((link) => squeezed(link.textContent ?? '') === wanted);
}

function asNext(element: Element | undefined): NextPage | undefined {
  if (element === undefined) return undefined;
  if (element.matches(':disabled, [aria-disabled=true], .disabled') || element.closest('.disabled') !== null)
    return undefined;
  const href = element.getAttribute('href') ?? element.querySelector('a[href]')?.getAttribute('href') ?? null;
  if (href === null || /^\s*(?:javascript:|#$)/i.test(href)) return { isScripted: true };
  const url = absolute(href);
  return url === undefined ? { isScripted: true } : { url, isScripted: false };
}
