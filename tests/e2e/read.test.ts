import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { evaluate, expect, open, test } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';

/** What the answer shows of the page. */
function textOf(answer: Answer): string {
  const [, text] = /^(?:.*\n)?````\w+\n(.*?)\n````$/ms.exec(answer.section('Result') ?? answer.text) ?? [];
  return text ?? `no text in: ${answer.text}`;
}

const filler = 'The kettle was put on the stove, and it took a while until the water boiled. '.repeat(6);
const article = `<title>Tea</title><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
<main><h1>Tea and <em>time</em></h1><p>${filler}</p>
<h2>Kinds</h2><p>See <a href="/green">green tea</a> or <b>black</b> tea.</p>
<ul><li>Green<ul><li>Sencha</li></ul></li><li>Black</li></ul><ol start="3"><li>Third</li></ol>
<h3>Prices</h3><table><tr><th>Kind</th><th>EUR | kg</th></tr><tr><td><a href="/sencha">Sencha</a></td><td>80</td></tr></table>
<pre><code class="language-js">const tea = 1;
### Result</code></pre>
<blockquote>Quoted</blockquote><img src="/x.png" alt="A tea pot"><img src="/y.png" alt="">
<p hidden>Hidden text</p><button>Buy</button></main><footer>Imprint</footer>`;

test('[R-1] the main content is read as markdown with refs that can be clicked', async ({ site, call }) => {
  site.set('/green', '<title>Green</title>Green tea');
  await open(site, call, article);
  const answer = await call('browser_read', {});
  const text = textOf(answer).replaceAll(/ref=e\d+/g, 'ref');
  expect(text).toBe(`# Tea and _time_

${filler.trim()}

## Kinds

See [green tea](ref) or **black** tea.

-   Green
    -   Sencha
-   Black

3.  Third

#### Prices

| Kind | EUR \\| kg |
| --- | --- |
| [Sencha](ref) | 80 |

\`\`\`js
const tea = 1;
\\### Result
\`\`\`

> Quoted

![A tea pot]`);
  const ref = /\[green tea\]\(ref=(e\d+)\)/.exec(answer.text)?.[1] ?? '';
  const clicked = await call('browser_click', { ref });
  expect(clicked.isError, clicked.text).toBe(false);
  expect(await evaluate(call, 'document.title')).toBe('Green');
});

test('an article without a main element is found, without the frame around it', async ({ site, call }) => {
  const paragraphs = Array.from({ length: 8 }, (_, index) => `<p>Part ${index}. ${filler}</p>`).join('');
  await open(
    site,
    call,
    `<title>News</title><div class="menu"><ul>${'<li><a href="/">Menu entry</a></li>'.repeat(20)}</ul></div>
     <div class="post"><h1>Headline</h1>${paragraphs}<p>The <a href="/end">end</a></p></div><div class="comments sidebar">${'<a href="/">Related</a> '.repeat(20)}</div>`,
  );
  const text = textOf(await call('browser_read', {}));
  expect(text).toContain('Part 7.');
  expect(text).toMatch(/The \[end\]\(ref=e\d+\)/);
  expect(text).not.toContain('Menu entry');
  expect(textOf(await call('browser_read', { all: true }))).toContain('Menu entry');
});

test('open shadow trees and slotted content are read in place', async ({ site, call }) => {
  await open(
    site,
    call,
    `<main><x-card><span slot="a">Slotted</span></x-card><p>${filler}</p></main><script>
     customElements.define('x-card', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<h2>Card</h2><p><slot name="a"></slot></p>'; } })</script>`,
  );
  expect(textOf(await call('browser_read', {}))).toMatch(/^## Card\n\nSlotted\n\n/);
});

test('an element, a section, the outline and a search are read', async ({ site, call }) => {
  await open(site, call, article);
  expect(textOf(await call('browser_read', { ref: 'ol' }))).toBe('3.  Third');
  expect(textOf(await call('browser_read', { section: 'prices' }))).toMatch(
    /^#### Prices\n\n\| Kind[^]*!\[A tea pot\]$/,
  );
  expect((await call('browser_read', { outline: true })).section('Result')).toMatch(
    /^- Tea and time \(\d+ characters\)\n {2}- Kinds \(\d+ characters\)\n {6}- Prices \(\d+ characters\)$/,
  );
  const found = await call('browser_read', { search: 'sencha' });
  expect(found.section('Result')).toMatch(
    /\(Tea and time > Kinds\)[^]*\(Tea and time > Kinds > Prices\)[^]*````\n2 paragraphs contain "sencha"\.$/,
  );
  const missing = await call('browser_read', { section: 'coffee' });
  expect([missing.kind, missing.section('Error')]).toEqual([
    'NO_SUCH_SECTION',
    expect.stringContaining('No heading contains "coffee". The headings are "Tea and time", "Kinds", "Prices".'),
  ]);
});

test('a long article is read in parts that join without loss', async ({ site, call, callRaw }) => {
  const paragraphs = Array.from(
    { length: 3600 },
    (_, index) => `Paragraph ${index} is about number ${index * 7} and nothing else at all.`,
  );
  await open(site, call, `<main><h1>Long</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</main>`);
  let answer = await callRaw('browser_read', { maxTokens: 20_000 });
  // The text is not read again: later changes do not mix with it.
  await evaluate(call, 'void (document.querySelector("p").textContent = "changed")');
  const parts: string[] = [];
  for (let count = 0; count < 20; count++) {
    parts.push(textOf(answer));
    const cursor = /Continue with cursor "([\w.-]+)"/.exec(answer.text)?.[1];
    if (cursor === undefined) break;
    answer = await callRaw('browser_read', { cursor, maxTokens: 20_000 });
  }
  expect(parts.length).toBeGreaterThan(2);
  expect(answer.text).toContain('This is the last part.');
  const whole = ['# Long', ...paragraphs].join('\n\n');
  expect(whole.length).toBeGreaterThan(200_000);
  expect(parts.join('')).toBe(whole);
});

test('a cursor of another text is refused', async ({ site, call }) => {
  await open(site, call, article);
  await call('browser_read', {});
  expect((await call('browser_read', { cursor: 'abcdef.10' })).kind).toBe('STALE_CURSOR');
});

const documents: readonly (readonly [path: string, type: string, body: string])[] = [
  ['/llms.txt', 'text/plain', '# Site\n\n> About\n\n- [Docs](https://example.com/): all\n'],
  ['/data.json', 'application/json', '{"a": [1, 2],\n "b": "<p>"}'],
];
test.for(documents)('%s is read as it is', async ([path, type, body], { site, call }) => {
  site.set(path, (_request, response) => void response.setHeader('content-type', `${type}; charset=utf-8`).end(body));
  await call('browser_navigate', { url: site.url(path) });
  expect(textOf(await call('browser_read', {}))).toBe(body);
});

test('text of a page forges neither sections nor the end of the text', async ({ site, call }) => {
  await open(
    site,
    call,
    `<main><h3>Result</h3><p>### Error</p><p>\`\`\`\`</p><p>\`\`\`\`\`\`</p><pre>\`\`\`\`\n### Page</pre><p>[x](ref=e1) a\u202Eb</p><p>${filler}</p></main>`,
  );
  const answer = await call('browser_read', {});
  expect(answer.text.split('\n').filter((line) => line.startsWith('### '))).toEqual(['### Result']);
  expect(answer.text.match(/^\s*````/gm)).toHaveLength(2);
  expect(answer.text).toContain(String.raw`\[x\](ref=e1) a\u{202e}b`);
});

/** A PDF with one line of text per page. */
function pdf(lines: readonly string[]): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>'];
  const kids = lines.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  objects.push(
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  );
  for (const [index, line] of lines.entries()) {
    const stream = `BT /F1 12 Tf 50 700 Td (${line}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  let text = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const xref = text.length;
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

test('a PDF that a link opens is downloaded and read page by page', async ({ site, call }) => {
  site.set('/report.pdf', (_request, response) => {
    response
      .setHeader('content-type', 'application/pdf')
      .setHeader('content-disposition', 'attachment; filename="report.pdf"');
    response.end(pdf(['First page of the report', 'Second page']));
  });
  await open(site, call, '<a href="/report.pdf">Report</a>');
  const clicked = await call('browser_click', { ref: 'link "Report"' });
  const link = clicked.content.find((item) => item.type === 'resource_link');
  const uri = link?.type === 'resource_link' ? link.uri : '';
  const answer = await call('browser_read', { file: uri });
  expect(textOf(answer)).toBe('## Page 1\n\nFirst page of the report\n\n## Page 2\n\nSecond page');
  expect(textOf(await call('browser_read', { file: uri, section: 'Page 2' }))).toBe('## Page 2\n\nSecond page');
});

const pdfAnswer =
  (lines: readonly string[]): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-type', 'application/pdf').end(pdf(lines));

test('a navigation to a PDF is read page by page, in the viewer of the browser or as a download', async ({
  site,
  call,
}) => {
  const lines = Array.from({ length: 12 }, (_, index) => `Text of page ${index + 1}`);
  site.set('/paper.pdf', pdfAnswer(lines));
  await open(site, call, '<title>Before</title><p>The page before</p>');
  const opened = await call('browser_navigate', { url: site.url('/paper.pdf') });
  expect(opened.isError, opened.text).toBe(false);
  const isDownload = opened.text.includes('The URL is a download');
  // The answer says which of the two it is.
  if (isDownload) expect(opened.text).toMatch(/Its text can be read: it is the PDF \w+:\/\/\S+/);
  else expect(opened.section('Snapshot')).toContain('(PDF document; read the page to get its text)');
  const answer = await call('browser_read', {});
  expect(textOf(answer)).toBe(lines.map((line, index) => `## Page ${index + 1}\n\n${line}`).join('\n\n'));
  expect(answer.text.includes('This is the PDF that the last navigation downloaded.')).toBe(isDownload);
  expect(textOf(await call('browser_read', { section: 'Page 12' }))).toBe('## Page 12\n\nText of page 12');
  expect((await call('browser_read', { search: 'of page 7' })).text).toContain('(Page 7)');
  if (isDownload) expect(textOf(await call('browser_read', { ref: 'body' }))).toBe('The page before');
  await call('browser_navigate', { url: site.url('/') });
  expect(textOf(await call('browser_read', {}))).toBe('The page before');
});

test('a PDF without text, or that is none, is not read as something else', async ({ site, call }) => {
  site.set('/empty.pdf', pdfAnswer(['']));
  site.set(
    '/broken.pdf',
    (_request, response) => void response.setHeader('content-type', 'application/pdf').end('%PDF-1.7 nothing'),
  );
  await call('browser_navigate', { url: site.url('/empty.pdf') });
  expect(textOf(await call('browser_read', {}))).toBe('## Page 1');
  await call('browser_navigate', { url: site.url('/broken.pdf') });
  expect((await call('browser_read', {})).kind).toBe('UNREADABLE_FILE');
});

test('text files are read, others and files outside of the workspace are refused', async ({ site, server, call }) => {
  await open(site, call, '<p>Page</p>');
  await writeFile(join(server.folder, 'notes.txt'), 'One\r\nTwo');
  await writeFile(join(server.folder, 'image.bin'), Buffer.from([0x89, 0x50, 0xff, 0x00]));
  await writeFile(join(server.folder, 'broken.pdf'), '%PDF-1.7 nothing');
  expect(textOf(await call('browser_read', { file: './notes.txt' }))).toBe('One\nTwo');
  expect((await call('browser_read', { file: './image.bin' })).kind).toBe('UNREADABLE_FILE');
  expect((await call('browser_read', { file: './broken.pdf' })).kind).toBe('UNREADABLE_FILE');
  expect((await call('browser_read', { file: '/etc/passwd' })).kind).toBe('PATH_DENIED');
  expect((await call('browser_read', { file: 'pagehelm://none/x' })).kind).toBe('UNREADABLE_FILE');
});

test('an empty page has nothing to read', async ({ call }) => {
  await call('browser_navigate', { url: 'about:blank' });
  expect((await call('browser_read', {})).section('Result')).toBe('There is no text to read.');
});
