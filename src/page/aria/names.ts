import {
  attr,
  eachShownChild,
  elementsById,
  hasAnyAttribute,
  isElement,
  isSvg,
  nodeTypeOf,
  queryAll,
  scopeOf,
  shadowRootOf,
  tagOf,
  textOf,
  TEXT,
} from '../dom/dom.ts';
import { PseudoTexts } from './pseudo.ts';
import { namedByContent, ranges } from './role-tables.ts';
import { inputType, roleOf } from './roles.ts';
import { SeenElements } from './seen-elements.ts';
import { isSecret } from './states.ts';
import { StyleRules } from '../dom/style-rules.ts';
import { leastOpacity } from '../dom/styles.ts';
import type { Styles } from '../dom/styles.ts';
import { TextCase } from '../dom/text-case.ts';
import { readsLikeInstructions, tidy } from '../walk/text.ts';

/** Where a name came from. Content that made up the name is not printed again. */
type NameSource = 'none' | 'label' | 'content' | 'hint';

export interface Named {
  readonly name: string;
  readonly from: NameSource;
  /** The name as Playwright computes it, where it differs: with transparent text, without `text-transform` and counters. */
  readonly written?: string;
}

interface Reading {
  readonly seen: SeenElements;
  /** The element that is named. */
  readonly origin: Element;
  /** Inside an element that `aria-labelledby` refers to: references are followed once. */
  readonly isReferenced: boolean;
  /** The reference points to a hidden element: hidden text counts. */
  readonly readsHidden: boolean;
  /** Fields inside a label give their value. */
  readonly isInside: boolean;
  /** Items of trees and menus are not named by what they open. */
  readonly skipsGroups: boolean;
  /** Transparent text counts. */
  readonly readsFaint: boolean;
  /** Shared by all that one name reads. */
  readonly budget: { left: number; faint: number; last: string };
}

const unnamed: Named = { name: '', from: 'none' };
const mostNodesPerName = 2000;
const mostDepth = 400;
const shortestOrder = 15;
const nameless = new Set(
  'caption code deletion emphasis generic insertion none paragraph presentation strong subscript superscript'.split(
    ' ',
  ),
);
/** Default captions of buttons. */
const captions: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset', button: '' };
const hinted = new Set(['text', 'password', 'search', 'tel', 'email', 'url', 'number']);
const neverRead = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'meta', 'link']);

/** Accessible names (accname 1.2 with the native rules of HTML-AAM), for the time of one walk. */
export class Names {
  readonly #styles: Styles;
  /** Elements that were read because of a reference from elsewhere. */
  readonly referred: Element[] = [];
  /** Fields whose values were read: as their own, or as part of a name. */
  readonly valued: Element[] = [];
  /** References to elements that do not exist, but may appear later. */
  dangling = 0;
  readonly rules = new StyleRules();
  readonly pseudo = new PseudoTexts(this.rules);
  readonly textCase: TextCase;
  readonly #labels = new Map<Document | ShadowRoot, Map<Element, Element[]>>();

  readonly #onSuspect: () => void;
  readonly #suspects = new Set<Element>();

  /** `onSuspect` is called for elements with invisible text that reads like instructions to an AI. */
  constructor(styles: Styles, onSuspect: () => void = () => undefined) {
    this.#styles = styles;
    this.#onSuspect = onSuspect;
    this.textCase = new TextCase(styles, this.rules);
  }

  of(element: Element, role: string): Named {
    if (nameless.has(role)) return unnamed;
    const before = this.textCase.changed + this.pseudo.counted;
    const now = reading(element);
    const named = this.#compute(element, role, now);
    if (before === this.textCase.changed + this.pseudo.counted && now.budget.faint === 0) return named;
    const written = this.#written(element, role);
    return written === named.name ? named : { ...named, written };
  }

  #written(element: Element, role: string): string {
    this.textCase.isOff = true;
    this.pseudo.readsStringsOnly = true;
    const { name } = this.#compute(element, role, { ...reading(element), readsFaint: true });
    this.textCase.isOff = false;
    this.pseudo.readsStringsOnly = false;
    return name;
  }

  /** Changes as soon as a name was read that may change with elements elsewhere. */
  get unstable(): number {
    return this.dangling + this.pseudo.counted;
  }

  /** The name from labels, attributes and captions, without the content. */
  given(element: Element, role: string): Named {
    if (nameless.has(role) || isNeverNamed(element)) return unnamed;
    const now = reading(element);
    return this.#labelled(element, now) ?? this.#native(element, role, now) ?? this.#titled(element) ?? unnamed;
  }

  labelsOf(element: Element): readonly Element[] {
    const scope = scopeOf(element);
    if (scope === undefined) return [];
    let labels = this.#labels.get(scope);
    if (labels === undefined) {
      labels = labelsIn(scope);
      this.#labels.set(scope, labels);
    }
    return labels.get(element) ?? [];
  }

  /** The text that `aria-describedby` refers to, or that of the describing attributes. */
  describe(element: Element, name: string): string {
    const ids = attr(element, 'aria-describedby');
    const targets = elementsById(element, ids);
    this.#refer(targets, ids);
    // Visible text is printed where it is.
    const hidden = targets.filter((target) => this.#styles.of(target).isHidden);
    const text = hidden.map((target) => this.#text(target, { ...reading(element), readsHidden: true }, 0)).join(' ');
    const written = attr(element, 'aria-description') ?? attr(element, 'title') ?? '';
    const description = this.#unseen(element, tidy(text) || (targets.length > 0 ? '' : tidy(written)));
    return description === name ? '' : description;
  }

  #compute(element: Element, role: string, now: Reading): Named {
    const labelled = this.#labelled(element, now) ?? this.#native(element, role, now);
    if (labelled !== undefined) return labelled;
    if (namedByContent.has(role) || tagOf(element) === 'summary') {
      const skipsGroups = role === 'treeitem' || role.startsWith('menuitem');
      now.seen.add(element);
      const name = this.#contentName(element, { ...now, skipsGroups });
      if (name !== '') return { name, from: 'content' };
    }
    return this.#titled(element) ?? unnamed;
  }

  /** Transparent text is left out, unless there is no other: then it may be the label of an icon. */
  #contentName(element: Element, now: Reading): string {
    const name = this.#readable(element, tidy(this.#inside(element, now, 0)));
    if (name !== '' || now.budget.faint === 0) return name;
    const all = { ...now, seen: new SeenElements(element), readsFaint: true };
    return this.#readable(element, tidy(this.#inside(element, all, 0)));
  }

  /** Rules with `opacity` are rare, so that most styles are not read. */
  #isFaint(element: Element): boolean {
    return this.rules.mayBeFaint(element) && Number(this.#styles.of(element).style.opacity) < leastOpacity;
  }

  #labelled(element: Element, now: Reading): Named | undefined {
    if (!hasAnyAttribute(element)) return undefined;
    const ids = attr(element, 'aria-labelledby');
    if (ids !== null && !now.isReferenced) {
      const targets = referencesOf(element, ids);
      this.#refer(targets, ids);
      const name = tidy(this.#referenced(targets, now));
      if (name !== '') return { name, from: 'label' };
    }
    const label = this.#unseen(element, tidy(attr(element, 'aria-label') ?? ''));
    // A slot has no box of its own, and no name.
    return label === '' || tagOf(element) === 'slot' ? undefined : { name: label, from: 'label' };
  }

  #titled(element: Element): Named | undefined {
    if (!hasAnyAttribute(element)) return undefined;
    const title = this.#unseen(element, tidy(attr(element, 'title') ?? ''));
    return title === '' ? undefined : { name: title, from: 'label' };
  }

  /** Invisible text, or '' if it reads like instructions to an AI. */
  #unseen(element: Element, text: string): string {
    if (text.length < shortestOrder || !readsLikeInstructions(text)) return text;
    if (!this.#suspects.has(element)) this.#onSuspect();
    this.#suspects.add(element);
    return '';
  }

  /** The same for text of the page that its style makes illegible. */
  #readable(element: Element, text: string): string {
    const isSuspect = text.length >= shortestOrder && readsLikeInstructions(text) && this.#styles.isUnreadable(element);
    return isSuspect ? this.#unseen(element, text) : text;
  }

  #refer(targets: readonly Element[], ids: string | null): void {
    this.referred.push(...targets);
    if (targets.length < (ids ?? '').split(/\s+/).filter((id) => id !== '').length) this.dangling++;
  }

  #referenced(targets: readonly Element[], now: Reading): string {
    return targets
      .map((target) => {
        const readsHidden = this.#styles.of(target).isHidden || attr(target, 'aria-hidden') === 'true';
        // Each reference is read afresh: an element may name itself along with others.
        const next = { ...now, seen: new SeenElements(), isReferenced: true, readsHidden };
        const text = this.#text(target, next, 0);
        return readsHidden ? this.#unseen(target, text) : text;
      })
      .join(' ');
  }

  /** The name by HTML's own rules (HTML-AAM). */
  #native(element: Element, role: string, now: Reading): Named | undefined {
    const tag = tagOf(element);
    const name = tidy(this.#nativeText(element, tag, now) ?? '');
    if (name !== '') return { name, from: 'label' };
    if (role === 'textbox' || role === 'searchbox' || role === 'combobox' || role === 'spinbutton') {
      const title = this.#unseen(element, tidy(attr(element, 'title') ?? ''));
      const hint = tidy(
        (showsHint(element) ? attr(element, 'placeholder') : null) ?? attr(element, 'aria-placeholder') ?? '',
      );
      const found = title === '' ? hint : title;
      if (found !== '') return { name: found, from: title === '' ? 'hint' : 'label' };
    }
    return undefined;
  }

  #nativeText(element: Element, tag: string, now: Reading): string | undefined {
    switch (tag) {
      case 'input':
        return this.#inputName(element, now);
      case 'select':
      case 'textarea':
      case 'meter':
      case 'output':
      case 'progress':
      case 'button':
        return this.#labelText(element, now);
      case 'img':
      case 'area':
        return this.#unseen(element, attr(element, 'alt') ?? '') || undefined;
      case 'fieldset':
        return this.#firstChildText(element, 'legend', now);
      case 'figure':
        return this.#firstChildText(element, 'figcaption', now);
      case 'table':
        return this.#firstChildText(element, 'caption', now) ?? attr(element, 'summary') ?? undefined;
      case 'optgroup':
      case 'track':
        return attr(element, 'label') ?? undefined;
      default:
        return isSvg(element) ? svgTitle(element, tag) : undefined;
    }
  }

  #inputName(element: Element, now: Reading): string | undefined {
    const type = inputType(element);
    if (type === 'image') {
      return this.#labelText(element, now) || attr(element, 'alt') || attr(element, 'title') || 'Submit';
    }
    // The caption of a button is its name, also with a label.
    const caption = captions[type];
    if (caption !== undefined) {
      const written = tidy(attr(element, 'value') ?? '');
      return written || caption || attr(element, 'title') || this.#labelText(element, now);
    }
    return this.#labelText(element, now) || (type === 'file' ? 'Choose File' : undefined);
  }

  #labelText(element: Element, now: Reading): string | undefined {
    if (now.isInside) return undefined;
    const labels = this.labelsOf(element);
    if (labels.length === 0) return undefined;
    this.referred.push(...labels);
    // Labels can be nested: each element is read once.
    const next = { ...now, seen: new SeenElements(element), isReferenced: true, isInside: true };
    return labels
      .map((label) => this.#text(label, next, 0))
      .filter((text) => text.trim() !== '')
      .join(' ');
  }

  #firstChildText(element: Element, tag: string, now: Reading): string | undefined {
    const child = childOf(element, tag);
    return child === undefined ? undefined : this.#text(child, { ...now, seen: new SeenElements(element) }, 0);
  }

  /** The text alternative of one element on the way through a name. */
  #text(element: Element, now: Reading, depth: number): string {
    if (now.seen.has(element) || depth > mostDepth || now.budget.left-- <= 0) return '';
    now.seen.add(element);
    if (neverRead.has(tagOf(element))) return '';
    const style = this.#styles.of(element);
    if (!now.readsHidden && (style.isNone || attr(element, 'aria-hidden') === 'true')) return '';
    if (depth > 0 && !now.readsHidden && !now.readsFaint && this.#isFaint(element) && !isFormField(element)) {
      now.budget.faint++;
      return '';
    }
    if (!style.isFlowing || tagOf(element) === 'br') now.budget.last = '';
    const inside = { ...now, isInside: true };
    const role = roleOf(element);
    if (now.skipsGroups && (role === 'group' || role === 'menu' || role === 'tree')) return '';
    const isShown = now.readsHidden || !style.isHidden;
    const labelled = isShown ? this.#labelled(element, now) : undefined;
    // Fields in a label, and fields that `aria-labelledby` refers to, give their value.
    const isField = depth > 0 || now.isInside || (now.isReferenced && element !== now.origin);
    const value = isShown && isField ? this.#valueOf(element, role, inside, depth) : undefined;
    const text = value ?? labelled?.name ?? this.#contentText(element, role, inside, depth, isShown);
    const read = this.#readable(element, text);
    return style.isInline ? read : ` ${read} `;
  }

  /** The value of a field inside a name is part of the name. A field without a value is named like any other element. */
  #valueOf(element: Element, role: string, now: Reading, depth: number): string | undefined {
    if (role === 'listbox' && !(element instanceof HTMLSelectElement)) {
      const chosen = chosenIn(element);
      return chosen.length === 0 ? undefined : chosen.map((option) => this.#text(option, now, depth + 1)).join(' ');
    }
    const value = valueInName(element, role);
    if (value === undefined) return undefined;
    this.valued.push(element);
    return value === '' && depth === 0 && !isSecret(element) ? undefined : value;
  }

  #contentText(element: Element, role: string, now: Reading, depth: number, isShown: boolean): string {
    const native = isShown ? this.#nativeText(element, tagOf(element), now) : undefined;
    if (native !== undefined && native !== '') return native;
    if (depth === 0 && now.isReferenced && element !== now.origin) {
      const labels = this.#labelText(element, { ...now, isInside: false });
      if (labels !== undefined && labels !== '') return labels;
    }
    if (tagOf(element) === 'br') return ' ';
    const text = this.#inside(element, now, depth);
    if (text.trim() !== '' || !isShown) return text;
    // The title of a label describes the label, not its field.
    const isMute = role === '' && (depth > 0 || tagOf(element) === 'label');
    if (isMute) return text;
    const title = attr(element, 'title');
    return title === null ? (attr(element, 'placeholder') ?? text) : this.#unseen(element, title);
  }

  #inside(element: Element, now: Reading, depth: number): string {
    const isHidden = !now.readsHidden && this.#styles.of(element).isHidden;
    if (shadowRootOf(element) !== null) this.rules.hasShadows = true;
    const hasGenerated = this.pseudo.mayHave(element);
    let text = hasGenerated ? this.textCase.shown(this.pseudo.of(element, '::before'), element) : '';
    const read = (node: Node): void => {
      if (nodeTypeOf(node) === TEXT) {
        if (isHidden) return;
        const raw = node.nodeValue ?? '';
        text += this.textCase.shown(raw, element, now.budget.last);
        now.budget.last = raw === '' ? now.budget.last : raw;
      } else if (isElement(node)) {
        text += this.#text(node, now, depth + 1);
      }
    };
    eachShownChild(element, read);
    for (const owned of elementsById(element, attr(element, 'aria-owns'))) text += this.#text(owned, now, depth + 1);
    return hasGenerated ? text + this.textCase.shown(this.pseudo.of(element, '::after'), element) : text;
  }
}

/** Without attributes, only these have a name that is not their content. */
const namedTags = new Set('input select textarea meter output progress button fieldset figure table'.split(' '));

function isNeverNamed(element: Element): boolean {
  return !hasAnyAttribute(element) && !namedTags.has(tagOf(element)) && !isSvg(element);
}

function reading(origin: Element): Reading {
  return {
    seen: new SeenElements(),
    origin,
    isReferenced: false,
    readsHidden: false,
    isInside: false,
    skipsGroups: false,
    readsFaint: false,
    budget: { left: mostNodesPerName, faint: 0, last: '' },
  };
}

function showsHint(element: Element): boolean {
  return element instanceof HTMLTextAreaElement || hinted.has(inputType(element));
}

/** An empty attribute may mean elements assigned by a script. */
function referencesOf(element: Element, ids: string): readonly Element[] {
  if (ids !== '') return elementsById(element, ids);
  return element.ariaLabelledByElements ?? [];
}

function childOf(element: Element, tag: string): Element | undefined {
  let found: Element | undefined;
  eachShownChild(element, (child) => {
    if (found === undefined && isElement(child) && tagOf(child) === tag) found = child;
  });
  return found;
}

/** The title of an SVG element is its name, and its tooltip. */
function svgTitle(element: Element, tag: string): string | undefined {
  const title = childOf(element, 'title')?.textContent;
  return title || (tag === 'a' || tag === 'svg' ? attr(element, 'xlink:title') : undefined) || undefined;
}

/** A transparent native field often lies over a drawn one. */
function isFormField(element: Element): boolean {
  return /^(?:input|select|textarea)$/.test(tagOf(element));
}

function chosenIn(listbox: Element): readonly Element[] {
  return [...Element.prototype.querySelectorAll.call(listbox, '[role=option][aria-selected=true]')];
}

/** `element.labels` searches the whole document for each field; this searches once. */
function labelsIn(scope: Document | ShadowRoot): Map<Element, Element[]> {
  const labels = new Map<Element, Element[]>();
  for (const label of queryAll(scope, 'label')) {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    if (control === null) continue;
    const known = labels.get(control);
    if (known === undefined) labels.set(control, [label]);
    else known.push(label);
  }
  return labels;
}

function valueInName(element: Element, role: string): string | undefined {
  if (role === 'textbox' || role === 'searchbox') {
    if (isSecret(element)) return '';
    const hasValue = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    return hasValue ? element.value : textOf(element) || undefined;
  }
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map((option) => option.label).join(' ');
  if (!ranges.has(role)) return undefined;
  const written = attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow');
  if (written !== null) return written;
  if (element instanceof HTMLProgressElement || element instanceof HTMLMeterElement) return String(element.value);
  return element instanceof HTMLInputElement ? element.value : undefined;
}
