/** Generates documents from a seed, so that failures are reproducible. */

interface Dice {
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
}

function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)] ?? list[0],
  };
}

const seldom = ['up', 'cap', 'faint', 'cut', 'far', 'flat', 'mask', 'cnt', 'badge', 'chip'] as const;

/** Styles that change what a person sees. */
const looks =
  '.up{text-transform:uppercase}.cap{text-transform:capitalize}.faint{opacity:0}.cut{clip-path:inset(100%)}' +
  '.far{transform:translateX(-9999px)}.flat{scale:0}.mask{mask-image:linear-gradient(transparent,transparent)}' +
  'body{counter-reset:c}.cnt::before{counter-increment:c;content:counter(c) ". "}.tick{list-style:"✓ "}' +
  '.badge{padding:0 6px}.chip{display:inline-block;margin:4px}';

/** Writes one document. */
class Author {
  readonly #dice: Dice;
  #words = 0;
  #ids = 0;

  constructor(seed: number) {
    this.#dice = diceOf(seed);
  }

  document(): string {
    const body = Array.from({ length: 8 }, () => this.#block(0)).join('\n');
    return `<!doctype html><title>Generated</title><style>${looks}.blk{display:block}.inl{display:inline}.flex{display:flex}.pre::before{content:"pre "}.post::after{content:" post"}.ptr{cursor:pointer}.con{display:contents}.vh{visibility:hidden}.vv{visibility:visible}</style>${body}`;
  }

  #word(): string {
    this.#words++;
    return (
      this.#dice.pick(['alpha', 'beta', 'gamma: delta', 'x', '"quoted"', "it's", 'a & b', '12', '- dash', 'é ü 漢']) +
      this.#words
    );
  }

  #text(): string {
    const word = this.#word().replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return this.#dice.chance(0.3) ? ` ${word}\n ` : word;
  }

  #block(depth: number): string {
    const dice = this.#dice;
    const inner = (): string =>
      depth > 3
        ? this.#text()
        : Array.from({ length: 1 + dice.below(3) }, () => this.#any(depth + 1)).join(dice.pick(['', ' ', '\n']));
    const attributes = this.#attributes();
    return dice.pick<() => string>([
      () => `<div${attributes}>${inner()}</div>`,
      () => `<div${attributes}>${inner()}</div>`,
      () => `<section${attributes}>${inner()}</section>`,
      () => `<p>${this.#inline(depth)}</p>`,
      () => `<pre${attributes}>${inner()}\n${this.#inline(depth)}</pre>`,
      () => `<ul${attributes}><li>${inner()}</li><li>${this.#inline(depth)}</li></ul>`,
      () => `<ul class="tick"><li>${inner()}</li><li>${this.#text()}</li></ul>`,
      () => `<div aria-hidden="true">${inner()}</div>`,
      () =>
        `<section role="${dice.pick(['doc-chapter', 'doc-tip', 'doc-toc', 'doc-index'])}"${attributes}>${inner()}</section>`,
      () =>
        `<table${dice.chance(0.3) ? ' role="presentation"' : ''}><tr><th>${this.#text()}</th><td>${inner()}</td></tr></table>`,
      () => `<fieldset${dice.chance(0.3) ? ' disabled' : ''}><legend>${this.#text()}</legend>${inner()}</fieldset>`,
      () => `<details${dice.chance(0.5) ? ' open' : ''}><summary>${this.#text()}</summary>${inner()}</details>`,
      () => `<header>${inner()}</header>`,
      () => `<article${attributes}>${inner()}</article>`,
      () =>
        `<div role="${dice.pick(['group', 'list', 'toolbar', 'none', 'nonsense region', 'tablist', 'menu', 'listbox'])}"${attributes}>${inner()}</div>`,
    ])();
  }

  #any(depth: number): string {
    return this.#dice.chance(0.45) ? this.#block(depth) : this.#inline(depth);
  }

  #attributes(): string {
    const dice = this.#dice;
    let attributes = '';
    if (dice.chance(0.15))
      attributes += ` class="${dice.pick(['blk', 'inl', 'flex', 'pre', 'post', 'ptr', 'con', 'vh', 'vv', ...seldom])}"`;
    if (dice.chance(0.05)) attributes += ` aria-label="${this.#word().replaceAll('"', '')}"`;
    if (dice.chance(0.03)) attributes += ' hidden';
    // Playwright reads aria-hidden content without a box.
    if (dice.chance(0.03) && !attributes.includes('con')) attributes += ' aria-hidden="true"';
    if (dice.chance(0.03)) attributes += ' aria-disabled="true"';
    if (dice.chance(0.03)) attributes += ` title="${this.#word().replaceAll('"', '')}"`;
    if (dice.chance(0.02)) attributes += ' style="display:none"';
    return attributes;
  }

  #inline(depth: number): string {
    const dice = this.#dice;
    const content = (): string => this.#content(depth);
    const attributes = this.#attributes();
    return dice.pick<() => string>([
      () => this.#text(),
      () => `<span${attributes}>${content()}</span>`,
      () => `<a href="/${this.#ids++}"${attributes}>${content()}</a>`,
      () => `<a${attributes}>${content()}</a>`,
      () => `<button${attributes}${dice.chance(0.2) ? ' disabled' : ''}>${content()}</button>`,
      () => this.#field(),
      () => this.#field(),
      () =>
        `<div role="${dice.pick(['button', 'link', 'checkbox', 'switch', 'tab', 'menuitem', 'option', 'radio', 'textbox', 'heading', 'treeitem', 'slider', 'img'])}"${attributes}>${content()}</div>`,
      () => `<h${1 + dice.below(6)}${attributes}>${content()}</h${1 + dice.below(6)}>`,
      () => `<img${dice.chance(0.6) ? ` alt="${this.#word().replaceAll('"', '')}"` : ''} src="data:,">`,
      () => `<label${attributes}>${content()} ${this.#field()}</label>`,
      () =>
        `<svg width="90" height="30"><a href="/${this.#ids++}"><title>${this.#text()}</title><rect width="30" height="20"/></a><text x="40" y="20">${this.#text()}</text></svg>`,
      () => `<div role="img" aria-label="${this.#word().replaceAll('"', '')}">${content()}</div>`,
    ])();
  }

  #content(depth: number): string {
    const dice = this.#dice;
    if (depth > 4 || dice.chance(0.5)) return this.#text();
    const image = `<img alt="${this.#word().replaceAll('"', '')}" src="data:,">`;
    return dice.pick([
      `${this.#text()}<b${this.#attributes()}>${this.#text()}</b>`,
      `<div${this.#attributes()}>${this.#text()}</div>${this.#text()}`,
      `${image} ${this.#text()}`,
      `<span aria-hidden="true">×</span><span${this.#attributes()}>${this.#text()}</span>`,
      `${this.#text()}<br>${this.#text()}`,
      `<svg width="9" height="9"><title>${this.#text()}</title></svg>`,
      '',
    ]);
  }

  #field(): string {
    const dice = this.#dice;
    const id = `id${this.#ids++}`;
    const type = dice.pick([
      'text',
      'checkbox',
      'radio',
      'range',
      'number',
      'search',
      'submit',
      'button',
      'email',
      'password',
      'file',
      'date',
      'reset',
      'image',
    ]);
    const value = dice.chance(0.3) && type !== 'file' ? ` value="${dice.below(9)}"` : '';
    const naming = dice.pick([
      '',
      ` aria-label="${this.#word().replaceAll('"', '')}"`,
      ` title="${this.#word().replaceAll('"', '')}"`,
      ` placeholder="${this.#word().replaceAll('"', '')}"`,
      ` id="${id}"`,
      ` aria-labelledby="${id}x"`,
    ]);
    const outer = dice.pick([
      `<label for="${id}">${this.#text()}</label>`,
      `<span id="${id}x"${this.#attributes()}>${this.#text()}</span>`,
      '',
    ]);
    const field = dice.pick([
      `<input type="${type}"${value}${naming}>`,
      `<input type="${type}"${value}${naming}>`,
      `<textarea${naming}>${this.#text()}</textarea>`,
      `<select${naming}><option>${this.#text()}</option><option selected>${this.#text()}</option></select>`,
      `<select multiple${naming}><option>${this.#text()}</option></select>`,
    ]);
    return dice.chance(0.5) ? outer + field : field + outer;
  }
}

export function generated(seed: number): string {
  return new Author(seed).document();
}
