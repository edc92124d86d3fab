const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Every role of ARIA except the abstract ones. */
export const ariaRoles = words(
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid ' +
    'gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar ' +
    'radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status ' +
    'strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
    'treegrid treeitem',
);

/** Roles of DPUB-ARIA and of graphics by the nearest role of ARIA. Those that are only sections have none. */
export const nearestRoles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    link: 'backlink biblioref glossref noteref',
    listitem: 'biblioentry endnote',
    img: 'cover',
    heading: 'subtitle',
    navigation: 'index pagelist toc',
    note: 'notice tip',
    region:
      'acknowledgments afterword appendix bibliography chapter conclusion credits endnotes epilogue errata foreword ' +
      'glossary introduction part preface prologue',
    separator: 'pagebreak',
  })
    .flatMap(([role, list]) => list.split(' ').map((name): [string, string] => [`doc-${name}`, role]))
    .concat([
      ['graphics-document', 'document'],
      ['graphics-object', 'group'],
      ['graphics-symbol', 'img'],
    ]),
);

/** Interactive roles. */
export const actionRoles = words(
  'button link textbox searchbox combobox checkbox radio switch slider spinbutton option menuitem menuitemcheckbox ' +
    'menuitemradio tab treeitem',
);

/** Containers with a ref, for snapshots and screenshots of a part. */
export const placeRoles = words('dialog alertdialog iframe canvas');

/** Roles without meaning unless they have a name. */
export const emptyWithoutName = words(
  'group region form figure note document application rowgroup none presentation generic directory',
);

/** Roles of which only the text is printed. */
export const transparentRoles = words(
  'generic none presentation rowgroup strong emphasis code subscript superscript time mark insertion deletion separator',
);

export const namedByContent = words(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row ' +
    'rowheader switch tab tooltip treeitem',
);

/** Named by their content, which is printed anyway. */
export const contentIsShown = words('cell columnheader gridcell row rowheader tooltip');

export const childrenPresentational = words(
  'checkbox img menuitemcheckbox menuitemradio meter progressbar radio scrollbar slider switch',
);

export const checkable = words('checkbox menuitemcheckbox option radio switch menuitemradio treeitem');
export const selectable = words('gridcell option row tab rowheader columnheader treeitem');
export const expandable = words(
  'application button checkbox combobox gridcell link listbox menuitem row rowheader tab treeitem columnheader ' +
    'menuitemcheckbox menuitemradio switch',
);
export const ranges = words('slider spinbutton progressbar meter scrollbar separator');

/** Roles that depend on the tag alone. */
export const plainTags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    article: 'article',
    blockquote: 'blockquote',
    button: 'button',
    caption: 'caption',
    code: 'code',
    datalist: 'listbox',
    dd: 'definition',
    del: 'deletion',
    details: 'group',
    dfn: 'term',
    dialog: 'dialog',
    dt: 'term',
    em: 'emphasis',
    fieldset: 'group',
    figure: 'figure',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    hr: 'separator',
    iframe: 'iframe',
    frame: 'iframe',
    canvas: 'canvas',
    ins: 'insertion',
    main: 'main',
    mark: 'mark',
    math: 'math',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    p: 'paragraph',
    progress: 'progressbar',
    s: 'deletion',
    search: 'search',
    strong: 'strong',
    sub: 'subscript',
    sup: 'superscript',
    svg: 'img',
    table: 'table',
    tbody: 'rowgroup',
    textarea: 'textbox',
    tfoot: 'rowgroup',
    thead: 'rowgroup',
    time: 'time',
    ul: 'list',
  }),
);
