import { elementVerb, pageVerb, verb } from './verb.ts';
import type { Verb, VerbForm } from './verb.ts';

/** Short names for the tools that are used most. */
export const shortVerbs: readonly Verb[] = [
  verb('open', 'browser_navigate', {
    form: (words) => (words.length === 0 ? { args: { url: 'about:blank' } } : undefined),
  }),
  verb('back', 'browser_navigate_back'),
  verb('forward', 'browser_navigate_forward'),
  verb('fill', 'browser_type'),
  verb('type', 'browser_type', {
    args: { clear: false },
    positional: ['ref', 'text'],
    form: (words) => (words.length === 1 ? { args: { ref: ':focus', text: words[0], clear: false } } : undefined),
  }),
  verb('press', 'browser_press_key'),
  verb('select', 'browser_select_option'),
  verb('click', 'browser_click', { form: (words) => clickForm(words, {}) }),
  verb('dblclick', 'browser_click', {
    args: { doubleClick: true },
    form: (words) => clickForm(words, { doubleClick: true }),
  }),
  verb('scroll', 'browser_scroll', { form: scrollForm }),
  verb('highlight', 'browser_highlight', { takes: ['hide'], form: highlightForm }),
  verb('upload', 'browser_file_upload', { positional: ['paths'], form: uploadForm }),
  verb('dialog', 'browser_handle_dialog', { form: dialogForm }),
  verb('wait', 'browser_wait_for', { takes: ['load'], form: waitForm }),
  verb('eval', 'browser_evaluate', { value: true }),
  verb('find', 'browser_find', { takes: ['name'], form: findForm }),
  verb('screenshot', 'browser_take_screenshot'),
  verb('pdf', 'browser_pdf_save'),
  verb('console', 'browser_console_messages'),
  verb('requests', 'browser_network_requests'),
  verb('request', 'browser_network_request'),
  verb('tabs', 'browser_tabs', { args: { action: 'list' } }),
  verb('links', 'extract_links'),
  verb('table', 'extract_table'),
  verb('sessions', 'list_sessions'),
  verb('close', 'close_session', { args: { sessionId: 'default' } }),
  verb('fields', 'browser_fill_form', { form: fieldsForm }),
  pageVerb('url', '() => location.href'),
  pageVerb('title', '() => document.title'),
  elementVerb('html', '(element) => (element ?? document.documentElement).outerHTML'),
];

const elementWord = /^(?:@?e\d+$|[#.[]|\/\/|@?f\d+e\d+$)/;

/** `upload e3 a.pdf b.pdf` names the input; `upload a.pdf` uses the open chooser or the only input. */
function uploadForm(words: readonly string[]): VerbForm | undefined {
  const [first = '', ...paths] = words;
  return elementWord.test(first) ? { args: { ref: first, paths } } : undefined;
}

/** `dialog accept Ada`, `dialog dismiss`. */
function dialogForm([answer, promptText]: readonly string[]): VerbForm | undefined {
  if (answer !== 'accept' && answer !== 'dismiss') return undefined;
  return { args: { accept: answer === 'accept', ...(promptText === undefined ? {} : { promptText }) } };
}

/** `click e5 right`. */
function clickForm([ref, button, ...more]: readonly string[], args: VerbForm['args']): VerbForm | undefined {
  const isForm = more.length === 0 && /^(?:left|right|middle)$/.test(button ?? '');
  return isForm ? { args: { ...args, ref, button } } : undefined;
}

/** `scroll down 300`. */
function scrollForm([direction = '', amount]: readonly string[]): VerbForm | undefined {
  if (!/^(?:up|down|left|right)$/.test(direction)) return undefined;
  return { args: { direction, ...(amount === undefined ? {} : { amount }) } };
}

/** `highlight e5 --hide`, and `highlight --hide` for all. */
function highlightForm([ref]: readonly string[], { hide }: Readonly<Record<string, unknown>>): VerbForm | undefined {
  if (hide === undefined) return undefined;
  const hidden = typeof hide === 'string' ? hide : ref;
  return { tool: 'browser_hide_highlight', args: hidden === undefined ? {} : { ref: hidden } };
}

/** `wait 500` is a time in milliseconds, `wait e5` and `wait '#done'` an element, anything else a text. */
function waitForm([word = '']: readonly string[], { load }: Readonly<Record<string, unknown>>): VerbForm | undefined {
  if (load !== undefined) return { tool: 'wait_for_load', args: { state: load } };
  if (/^\d+$/.test(word)) return { args: { time: Number(word) / 1000 } };
  return elementWord.test(word) ? { tool: 'wait_for_selector', args: { selector: word } } : undefined;
}

/** `fields e1=Ada e2=on`: refs with their values. */
function fieldsForm(words: readonly string[]): VerbForm | undefined {
  const pairs = words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  if (words.some((word) => !word.includes('='))) return undefined;
  return { args: { fields: pairs.map(([ref, value]) => ({ ref, value })) } };
}

const locators: Readonly<Record<string, (value: string) => VerbForm['args']>> = {
  role: (value) => ({ selector: `role=${value}` }),
  text: (value) => ({ selector: value, selectorType: 'text' }),
  label: (value) => ({ selector: value, selectorType: 'label' }),
  placeholder: (value) => ({ selector: value, selectorType: 'placeholder' }),
  testid: (value) => ({ selector: value, selectorType: 'testId' }),
  alt: (value) => ({ selector: `[alt=${JSON.stringify(value)}]` }),
  title: (value) => ({ selector: `[title=${JSON.stringify(value)}]` }),
  first: (value) => ({ selector: `${value} >> nth=0` }),
  last: (value) => ({ selector: `${value} >> nth=-1` }),
};

const actions: Readonly<Record<string, string>> = {
  click: 'browser_click',
  fill: 'browser_type',
  type: 'browser_type',
  hover: 'browser_hover',
  check: 'browser_check',
  uncheck: 'browser_uncheck',
  text: 'get_text',
};

/**
 * `find role button click --name Send`, `find label Name fill Ada`: a locator, its value, an action and its text.
 */
function findForm(words: readonly string[], { name }: Readonly<Record<string, unknown>>): VerbForm | undefined {
  const isNth = words[0] === 'nth';
  const [kind = '', value = '', action = '', text] = isNth ? ['nth', ...words.slice(2)] : words;
  const isNamed = kind === 'role' && typeof name === 'string';
  const locator = isNamed
    ? { selector: `role=${value}[name=${JSON.stringify(name)}]` }
    : isNth
      ? { selector: `${value} >> nth=${words[1]}` }
      : locators[kind]?.(value);
  const tool = actions[action];
  if (locator === undefined || value === '' || tool === undefined) return undefined;
  return { tool, args: { ...locator, ...(text === undefined ? {} : { text }) } };
}
