/** Values with each class of characters, as passwords and keys have them. */
export const secretValues: Readonly<Record<string, string>> = {
  'letters and digits': 'correctHorse42battery',
  spaces: 'correct horse battery',
  'URL delimiters': 'a/b?c=d&e#f:g@h;i,j+k',
  'percent signs': '100%25%zz%',
  'HTML delimiters': `<b class="x">'&amp;</b>`,
  quotes: `it's "quoted" \`twice\``,
  backslashes: String.raw`C:\new\table\"x"`,
  brackets: '[ref=e1] {a} (b) $^*.|',
  'Latin letters': 'Grüße aus Köln é',
  'other scripts': 'пароль密码パス',
  emoji: 'key🔑lock🔒end',
  'base64 characters': 'ab+/cd==ef-_gh',
  'several lines': '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\n-----END KEY-----',
  tabs: 'tab\tseparated\tvalue',
};

const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  ü: '&uuml;',
  é: '&eacute;',
  ß: '&szlig;',
};

function asciiJson(text: string): string {
  return inJson(text).replaceAll(
    /[^ -~]/g,
    (unit) => String.raw`\u` + (unit.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  );
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inUrl(part: (url: URL) => string, set: (url: URL) => void): string {
  const url = new URL('http://127.0.0.1/');
  set(url);
  return part(url);
}

function percentLatin(text: string): string {
  const isLatin = /^[\0-\xff]*$/.test(text);
  return [...Buffer.from(text, isLatin ? 'latin1' : 'utf8')]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

/** The encodings that docs/security.md names. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  verbatim: (text) => text,
  'percent-encoded': (text) => encodeURIComponent(text),
  'percent-encoded in lower case': (text) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  'percent-encoded as encodeURI does': (text) => encodeURI(text),
  'percent-encoded as Latin-1': percentLatin,
  'in a form body': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'in a query as browsers write it': (text) =>
    inUrl(
      ({ search }) => search.slice(1),
      (url) => (url.search = text.replaceAll('#', '%23').replaceAll(/\s/g, '%20')),
    ),
  'in a fragment as browsers write it': (text) =>
    inUrl(
      ({ hash }) => hash.slice(1),
      (url) => (url.hash = text.replaceAll(/\s/g, '%20')),
    ),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in JSON': inJson,
  'in JSON with escaped slashes': (text) => inJson(text).replaceAll('/', String.raw`\/`),
  'in ASCII JSON': asciiJson,
  'in JSON in JSON': (text) => inJson(inJson(text)),
  'in ASCII JSON in a URL': (text) => encodeURIComponent(asciiJson(text)),
  'in HTML': (text) => text.replaceAll(/[&<>"']/g, (character) => htmlNames[character] ?? character),
  'in innerHTML': (text) =>
    text.replaceAll(/[&<>\u00a0]/g, (character) => (character === '\u00a0' ? '&nbsp;' : (htmlNames[character] ?? ''))),
  'in HTML with names': (text) => text.replaceAll(/[&<>"'üéß]/g, (character) => htmlNames[character] ?? character),
  'in HTML with numbers': (text) =>
    text.replaceAll(/[^A-Za-z0-9 \n\t]/gu, (character) => `&#${character.codePointAt(0)};`),
  'in HTML with hexadecimal numbers': (text) =>
    text.replaceAll(/[^A-Za-z0-9 \n\t]/gu, (character) => `&#x${character.codePointAt(0)?.toString(16)};`),
  'in HTML in JSON': (text) => inJson(encodings['in HTML']?.(text) ?? ''),
  'in a JavaScript string': (text) =>
    text.replaceAll(/[^A-Za-z0-9 ]/gu, (character) => String.raw`\u{${character.codePointAt(0)?.toString(16)}}`),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'base64 in text': (text) => Buffer.from(text).toString('base64'),
  'base64 in other base64': (text) => Buffer.from(`{"user":"ada","word":${JSON.stringify(text)}}`).toString('base64'),
  'base64 in a URL': (text) => encodeURIComponent(Buffer.from(`u:${text}`).toString('base64')),
  'base64 in base64url': (text) => Buffer.from(`xy${text}`).toString('base64url'),
  'base64 in Latin-1': (text) => Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8').toString('base64'),
  'on one line': (text) => text.replaceAll(/\s+/g, ' '),
  'in upper case': (text) => (/^[ -~]*$/.test(text) ? text.toUpperCase() : text),
};
