import { attr, queryAll, scopeOf, tagOf } from './dom.ts';

const mostSteps = 12;

/** A selector that matches only this element, for generated code; crosses open shadow roots. */
export function cssPathOf(element: Element): string {
  const steps: string[] = [];
  let at: Element | null = element;
  while (at !== null && steps.length < mostSteps) {
    const scope = scopeOf(at);
    const own = idOf(at, scope);
    steps.unshift(own ?? stepOf(at));
    const parent: Element | null = own === undefined ? at.parentElement : null;
    if (parent === null && scope instanceof ShadowRoot) {
      // Playwright's selectors look into open shadow roots, where a space selects from the host into its shadow tree.
      return `${cssPathOf(scope.host)} ${steps.join(' > ')}`;
    }
    at = parent === null || tagOf(parent) === 'body' || tagOf(parent) === 'html' ? null : parent;
  }
  return steps.join(' > ');
}

/** The test id of an element, if it is the only one with it. */
export function testIdOf(element: Element, attribute: string): string | undefined {
  const id = attr(element, attribute);
  const scope = scopeOf(element);
  if (id === null || id === '' || scope === undefined) return undefined;
  const selector = `[${CSS.escape(attribute)}=${JSON.stringify(id)}]`;
  return [...queryAll(scope, selector)].length === 1 ? id : undefined;
}

function idOf(element: Element, scope: Document | ShadowRoot | undefined): string | undefined {
  const id = attr(element, 'id');
  if (id === null || id === '' || scope === undefined) return undefined;
  const selector = `#${CSS.escape(id)}`;
  return [...queryAll(scope, selector)].length === 1 ? selector : undefined;
}

function stepOf(element: Element): string {
  const tag = CSS.escape(tagOf(element));
  const twins = [...(element.parentNode?.children ?? [])].filter((child) => tagOf(child) === tagOf(element));
  return twins.length < 2 ? tag : `${tag}:nth-of-type(${twins.indexOf(element) + 1})`;
}
