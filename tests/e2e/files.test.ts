import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate, expect, open, refOf, startApp, testWith } from '../fixtures.ts';
import type { TestApp } from '../fixtures.ts';

const test = testWith(['--toolset=all']);
const testWithout = testWith(['--toolset=all', '--no-file-upload']);

const given = `<p id="given"></p><script>
function show(files) { given.textContent = 'Given: ' + [...files].map((file) => file.name + ' (' + file.size + ')').join(', '); }
document.addEventListener('change', (event) => show(event.target.files));
</script>`;
const visible = `<title>Files</title><label>Papers <input type="file" name="papers" multiple></label>${given}`;
const hiddenInput = `<title>Files</title><button onclick="field.click()">Attach</button><input id="field" type="file" style="display:none">${given}`;
const dynamic = `<title>Files</title><button onclick="const field = document.createElement('input'); field.type = 'file'; field.onchange = () => show(field.files); field.click();">Attach</button>${given}`;
const several = `<title>Files</title><input type="file" name="front"><label>Reverse side <input type="file" id="back"></label><input type="file">${given}`;

const dropZone = `<title>Drop</title><style>#zone { width: 200px; height: 100px; border: 1px solid }</style>
<div id="zone" role="button" aria-label="Drop here"></div><p id="got"></p><script>
zone.addEventListener('dragover', (event) => event.preventDefault());
zone.addEventListener('drop', (event) => {
  event.preventDefault();
  const { files } = event.dataTransfer;
  got.textContent = 'Got ' + [...files].map((file) => file.name).join() + event.dataTransfer.getData('text/plain');
});</script>`;

async function files(server: TestApp): Promise<void> {
  await writeFile(join(server.folder, 'a.txt'), 'one');
  await writeFile(join(server.folder, 'b.txt'), 'three');
}

test('[S2-35, R-17] the only file input of the page receives the files', async ({ site, call, server }) => {
  await files(server);
  await open(site, call, visible);
  const answer = await call('browser_file_upload', { paths: ['a.txt', join(server.folder, 'b.txt')] });
  expect(answer.section('Result')?.split('\n')[0]).toBe('Uploaded "a.txt", "b.txt".');
  expect(answer.section('Snapshot')).toContain('Given: a.txt (3), b.txt (5)');
  expect(answer.section('Ran Playwright code')).toBe(
    `\`\`\`js\nawait page.locator('input[type=file]').setInputFiles(['${join(server.folder, 'a.txt')}', '${join(server.folder, 'b.txt')}']);\n\`\`\``,
  );
});

test('[S2-36, R-17] a hidden file input is found', async ({ site, call, server }) => {
  await files(server);
  await open(site, call, hiddenInput);
  expect((await call('browser_file_upload', { paths: ['a.txt'] })).section('Snapshot')).toContain('Given: a.txt (3)');
});

test.for([
  ['hidden', hiddenInput],
  ['dynamically created', dynamic],
])(
  '[S2-36, S2-37, S2-38, S2-39, R-17] a click on a button with a %s input opens a chooser, which then receives the files',
  async ([, html = ''], { site, call, server }) => {
    await files(server);
    const { text: page } = await open(site, call, html);
    const clicked = await call('browser_click', { ref: refOf(page, 'button', 'Attach') });
    expect(clicked.section('Events')).toBe('- The page opened a file chooser.');
    const answer = await call('browser_file_upload', { paths: ['b.txt'] });
    expect(answer.section('Result')?.split('\n')[0]).toBe('Uploaded "b.txt".');
    expect(answer.section('Snapshot')).toContain('Given: b.txt (5)');
    expect(answer.section('Ran Playwright code')).toContain('await fileChooser.setFiles([');
  },
);

test('[R-17] an open chooser takes precedence over file inputs, even over a named one', async ({
  site,
  call,
  server,
}) => {
  await files(server);
  await open(site, call, several);
  await call('browser_click', { selector: '#back' });
  expect((await call('browser_file_upload', { paths: ['a.txt'], selector: '[name=front]' })).isError).toBe(false);
  expect(await evaluate(call, 'back.files.length')).toBe('1');
});

test('[R-17] with several file inputs, one must be named, and the error lists them', async ({ site, call, server }) => {
  await files(server);
  await open(site, call, several);
  const refused = await call('browser_file_upload', { paths: ['a.txt'] });
  expect(refused.text.replaceAll(/ref=e\d+/g, 'ref')).toBe(
    '### Error\n[MISSING_PARAMETER] There are 3 file inputs: "front" [ref], "Reverse side" [ref], "" [ref]. ' +
      'Select one with ref.\nCorrect the arguments and call again.',
  );
  const ref = /"Reverse side" \[ref=(e\d+)\]/.exec(refused.text)?.[1] ?? '';
  expect((await call('browser_file_upload', { paths: ['a.txt'], ref })).section('Snapshot')).toContain(
    'Given: a.txt (3)',
  );
  expect(await evaluate(call, 'back.files.length')).toBe('1');
  const named = await call('browser_file_upload', { paths: ['b.txt'], selector: '[name=front]' });
  expect(named.section('Ran Playwright code')).toContain("await page.locator('[name=front]').setInputFiles([");
  const front = '() => document.querySelector("[name=front]").files[0].name';
  expect((await call('browser_evaluate', { function: front })).section('Result')).toBe('b.txt');
});

test('[R-17] a named button receives the files through its chooser', async ({ site, call, server }) => {
  await files(server);
  const { text: page } = await open(site, call, dynamic);
  const answer = await call('browser_file_upload', { paths: ['a.txt'], ref: refOf(page, 'button', 'Attach') });
  expect(answer.section('Snapshot')).toContain('Given: a.txt (3)');
  expect((await call('browser_file_upload')).kind).toBe('MISSING_PARAMETER');
});

test('[R-17] fields in frames are named with refs of their frames', async ({ site, call, server }) => {
  await files(server);
  site.set('/in', `<title>In</title><input type="file" name="inner">${given}`);
  await open(site, call, '<title>Files</title><input type="file" name="outer"><iframe title="In" src="/in"></iframe>');
  const refused = await call('browser_file_upload', { paths: ['a.txt'] });
  const ref = /"inner" \[ref=(f1e\d+)\]/.exec(refused.text)?.[1] ?? '';
  expect((await call('browser_file_upload', { paths: ['a.txt'], ref })).section('Snapshot')).toContain(
    'Given: a.txt (3)',
  );
});

test('[R-17] a drop zone receives the files; an element that does not accept drops is an error', async ({
  site,
  call,
  server,
}) => {
  await files(server);
  await open(site, call, `${dropZone}<button>Plain</button>`);
  const answer = await call('browser_file_upload', { paths: ['a.txt'], selector: '#zone' });
  expect(answer.section('Snapshot')).toContain('Got a.txt');
  expect((await call('browser_file_upload', { paths: ['a.txt'], selector: 'button' })).section('Error')).toBe(
    '[WRONG_ELEMENT] button could not be acted on: it did not accept the drop.\n' +
      'Choose another element from browser_snapshot, or use browser_click on this one.',
  );
});

test('several files for a single-file input are rejected, and an open chooser can be retried', async ({
  site,
  call,
  server,
}) => {
  await files(server);
  const { text: page } = await open(
    site,
    call,
    `<title>Files</title><label>One <input type="file" id="one"></label>${given}`,
  );
  const paths = ['a.txt', 'b.txt'];
  const field = await call('browser_file_upload', { paths, ref: '#one' });
  expect(field.section('Error')?.split('\n')[0]).toBe('[INVALID_ARGUMENT] #one takes only one file.');
  await call('browser_click', { ref: refOf(page, 'button', 'One') });
  const chooser = await call('browser_file_upload', { paths });
  expect(chooser.section('Error')?.split('\n')[0]).toBe('[INVALID_ARGUMENT] The file chooser takes only one file.');
  const one = await call('browser_file_upload', { paths: ['b.txt'], ref: '#one' });
  expect(one.section('Snapshot')).toContain('Given: b.txt (5)');
  expect(one.section('Result')).toContain('The files went to the open file chooser; #one was not used.');
  expect((await call('browser_file_upload', { paths })).section('Error')?.split('\n')[0]).toBe(
    '[INVALID_ARGUMENT] The file field takes only one file.',
  );
});

test('a disabled file input is an error', async ({ site, call, server }) => {
  await files(server);
  await open(site, call, '<title>Files</title><input type="file" disabled>');
  expect((await call('browser_file_upload', { paths: ['a.txt'], selector: 'input' })).section('Error')).toContain(
    '[ELEMENT_NOT_CLICKABLE] input could not be acted on: it is disabled.',
  );
});

test('a chooser that the call itself opens is not reported as open', async ({ site, call, server }) => {
  await files(server);
  const { text: page } = await open(site, call, dynamic);
  const answer = await call('browser_file_upload', { paths: ['a.txt'], ref: refOf(page, 'button', 'Attach') });
  expect(answer.section('Snapshot')).toContain('Given: a.txt (3)');
  expect(answer.section('Events')).toBeUndefined();
});

test('[R-17] a page without a file input is an error that says so', async ({ site, call, server }) => {
  await files(server);
  await open(site, call, '<title>Files</title><p>Text</p>');
  expect((await call('browser_file_upload', { paths: ['a.txt'] })).section('Error')).toContain(
    '[NO_FILE_INPUT] There is no file input on the page, and no file chooser is open.',
  );
});

test('[R-17] files is an alias of paths, and a single path may be a string', async ({
  site,
  call,
  callRaw,
  server,
}) => {
  await files(server);
  await open(site, call, visible);
  const answer = await callRaw('browser_file_upload', { files: 'a.txt' });
  expect(answer.section('Snapshot')).toContain('Given: a.txt (3)');
});

test.for([{}, { paths: [] }])('[R-17] %j cancels an open chooser', async (args, { site, call }) => {
  const { text: page } = await open(site, call, hiddenInput);
  await call('browser_click', { ref: refOf(page, 'button', 'Attach') });
  expect((await call('browser_file_upload', args)).section('Result')).toBe('Cancelled the file chooser.');
  expect(await evaluate(call, 'field.files.length')).toBe('0');
  expect((await call('browser_file_upload', args)).section('Error')).toBe(
    '[MISSING_PARAMETER] Missing argument "paths": which files. No file chooser is open to cancel.\n' +
      'Correct the arguments and call again.',
  );
});

test('missing and special files and files outside the permitted folders are rejected, and the chooser stays open', async ({
  site,
  call,
  server,
}) => {
  await files(server);
  await symlink('/etc/passwd', join(server.folder, 'link.txt'));
  await symlink('/etc', join(server.folder, 'etc'));
  execFileSync('mkfifo', [join(server.folder, 'pipe')]);
  const { text: page } = await open(site, call, hiddenInput);
  await call('browser_click', { ref: refOf(page, 'button', 'Attach') });
  const outside =
    'it is outside of the working directory and the output directories, which needs --allow-unrestricted-file-access';
  for (const [path, reason] of [
    ['missing.txt', 'there is no such file'],
    ['pipe', 'it is not a plain file'],
    ['.', outside],
    ['', 'it does not name a file'],
    ['a.txt\0.png', 'it does not name a file'],
    ['link.txt', outside],
    ['etc/passwd', outside],
    ['/etc/passwd', outside],
    ['../../../../../../etc/passwd', outside],
    ['/dev/zero', outside],
    ['/proc/self/environ', outside],
  ] as const) {
    const answer = await call('browser_file_upload', { paths: ['a.txt', path] });
    expect(answer.section('Error'), path).toBe(
      `[PATH_DENIED] The file ${JSON.stringify(path)} cannot be used: ${reason}.\n` +
        'Relative paths name files in the output directory, ./name in the working directory.',
    );
  }
  // The chooser is still open for a permitted file.
  expect((await call('browser_file_upload', { paths: ['a.txt'] })).section('Snapshot')).toContain('Given: a.txt (3)');
});

test('[S2-35, R-36] hidden files are not uploaded, neither alone nor in a folder nor through a link', async ({
  site,
  call,
  server,
}) => {
  await writeFile(join(server.folder, '.env'), 'TOKEN=1');
  await mkdir(join(server.folder, 'config'), { recursive: true });
  await writeFile(join(server.folder, 'config/.secret'), 'x');
  await symlink(join(server.folder, '.env'), join(server.folder, 'plain.txt'));
  await open(
    site,
    call,
    '<title>Files</title><input type="file" id="file"><input type="file" id="dir" webkitdirectory>',
  );
  for (const [path, selector, reason] of [
    ['.env', '#file', 'hidden files are not uploaded unless --allow-hidden-files is set'],
    ['config/.secret', '#file', 'hidden files are not uploaded unless --allow-hidden-files is set'],
    ['plain.txt', '#file', 'hidden files are not uploaded unless --allow-hidden-files is set'],
    ['config', '#dir', '".secret" in it is hidden (--allow-hidden-files)'],
  ] as const) {
    const answer = await call('browser_file_upload', { paths: [path], selector });
    expect(answer.section('Error'), path).toContain(`cannot be used: ${reason}.`);
  }
  expect(await evaluate(call, 'file.files.length + dir.files.length')).toBe('0');
});

test('[S2-35] --allow-hidden-files allows them, and --upload-root limits uploads to one folder', async ({ site }) => {
  await using app = await startApp(['--allow-hidden-files', '--upload-root=shared']);
  await using driver = await app.drive();
  await mkdir(join(app.folder, 'shared'));
  await writeFile(join(app.folder, 'shared/.env'), 'TOKEN=1');
  await writeFile(join(app.folder, 'a.txt'), 'abc');
  await open(site, driver.call, '<title>Files</title><input type="file" id="file">');
  const denied = await driver.call('browser_file_upload', { paths: ['a.txt'] });
  expect(denied.section('Error')).toContain('it is outside of the upload directory (--upload-root)');
  expect((await driver.call('browser_file_upload', { paths: ['shared/.env'] })).isError).toBe(false);
  expect(await evaluate(driver.call, 'file.files[0].name')).toBe('.env');
});

test('[S2-111] a name that is in the output and in the working directory must be written in full', async ({
  site,
  call,
  server,
}) => {
  await open(site, call, '<title>Files</title><p>Text</p><input type="file" id="file">');
  expect((await call('browser_snapshot', { filename: 'page.yml' })).isError).toBe(false);
  expect((await call('browser_file_upload', { paths: ['page.yml'] })).isError).toBe(false);
  await writeFile(join(server.folder, 'page.yml'), 'mine');
  expect((await call('browser_file_upload', { paths: ['page.yml'] })).section('Error')).toContain(
    'it is ambiguous: write "./.playwright-mcp/page.yml" or "./page.yml"',
  );
  expect((await call('browser_file_upload', { paths: ['./page.yml'] })).isError).toBe(false);
  expect(await evaluate(call, 'file.files[0].text()')).toBe('mine');
});

const folderField = `<title>Files</title><label>Photos <input type="file" id="photos" webkitdirectory></label>
<button onclick="photos.click()">Attach</button><p id="given"></p><script>
photos.onchange = () => {
  given.textContent = 'Given: ' + [...photos.files].map((file) => file.webkitRelativePath + ' (' + file.size + ')').sort().join(', ');
};</script>`;

/** A folder with two files and a link between them. */
async function folder(server: TestApp, name: string): Promise<string> {
  const path = join(server.folder, name);
  await mkdir(join(path, 'deep'), { recursive: true });
  await writeFile(join(path, 'a.txt'), 'one');
  await writeFile(join(path, 'deep', 'b.txt'), 'three');
  await symlink('../a.txt', join(path, 'deep', 'link.txt'));
  return path;
}

test('[R-17] a folder is uploaded to a directory input: by ref, through its chooser, and in a form', async ({
  site,
  call,
  server,
}) => {
  const path = await folder(server, 'album');
  const shown = 'Given: album/a.txt (3), album/deep/b.txt (5)';
  await open(site, call, folderField);
  const answer = await call('browser_file_upload', { paths: ['album'] });
  expect(answer.section('Result')?.split('\n')[0]).toBe('Uploaded "album" (a folder, 2 files).');
  expect(answer.section('Snapshot')).toContain(shown);
  expect(answer.section('Ran Playwright code')).toContain(`setInputFiles(['${path}'])`);
  for (const isByRef of [false, true]) {
    const page = await call('browser_navigate', { url: site.url('/') });
    const ref = isByRef ? refOf(page.text, 'button', 'Attach') : '#photos';
    expect((await call('browser_file_upload', { paths: [path], ref })).section('Snapshot')).toContain(shown);
  }
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_click', { selector: 'button' });
  expect((await call('browser_file_upload', { paths: ['album'] })).section('Snapshot')).toContain(shown);
  await call('browser_navigate', { url: site.url('/') });
  const fields = [{ name: 'Photos', selector: '#photos', value: 'album' }];
  expect((await call('browser_fill_form', { fields })).section('Snapshot')).toContain(shown);
});

test('[R-17] files for a directory input, a folder for a file input, and both together are rejected with what is accepted', async ({
  site,
  call,
  server,
}) => {
  await files(server);
  await folder(server, 'mixed');
  await folder(server, 'other');
  const refused = async (paths: string[], selector?: string): Promise<string | undefined> => {
    const answer = await call('browser_file_upload', { paths, ...(selector === undefined ? {} : { selector }) });
    return answer.section('Error')?.split('\n')[0];
  };
  await open(site, call, `${folderField}<input type="file" id="plain" multiple><div id="zone">Zone</div>`);
  expect(await refused(['a.txt'], '#photos')).toBe('[INVALID_ARGUMENT] #photos takes a folder, not files.');
  expect(await refused(['mixed'], '#plain')).toBe('[INVALID_ARGUMENT] #plain takes files, not a folder.');
  expect(await refused(['mixed'], '#zone')).toBe('[INVALID_ARGUMENT] #zone takes files, not a folder.');
  const both = '[INVALID_ARGUMENT] Give files, or one folder: a folder cannot be given along with others.';
  expect(await refused(['mixed', 'a.txt'], '#photos')).toBe(both);
  expect(await refused(['mixed', 'other'], '#photos')).toBe(both);
  await call('browser_click', { selector: '#plain' });
  expect(await refused(['mixed'])).toBe('[INVALID_ARGUMENT] The file chooser takes files, not a folder.');
  expect((await call('browser_file_upload', { paths: ['a.txt'] })).isError).toBe(false);
});

test('a folder with links that leave it, special files or too much data is rejected', async ({
  site,
  call,
  server,
}) => {
  const path = await folder(server, 'trap');
  await open(site, call, folderField);
  const reason = async (): Promise<string | undefined> =>
    (await call('browser_file_upload', { paths: ['trap'] })).section('Error')?.split('\n')[0];
  const denied = (why: string): string => `[PATH_DENIED] The file "trap" cannot be used: ${why}.`;
  for (const target of ['/etc/passwd', '/etc', join(server.folder, '..')]) {
    await symlink(target, join(path, 'deep', 'out'));
    expect(await reason()).toBe(denied('"deep/out" in it is a link that leads out of it'));
    await rm(join(path, 'deep', 'out'));
  }
  await symlink('nowhere', join(path, 'dangling'));
  execFileSync('mkfifo', [join(path, 'pipe')]);
  expect(await reason()).toBe(denied('"pipe" in it is not a plain file'));
  await rm(join(path, 'pipe'));
  await truncate(join(path, 'a.txt'), 101 * 1024 * 1024);
  expect(await reason()).toBe(denied('what is in it is larger than 100 MiB'));
  await truncate(join(path, 'a.txt'), 3);
  expect((await call('browser_file_upload', { paths: ['trap'] })).section('Snapshot')).toContain(
    'Given: trap/a.txt (3), trap/deep/b.txt (5)',
  );
  expect((await call('browser_file_upload', { paths: ['/etc'] })).kind).toBe('PATH_DENIED');
});

test('a file is dropped onto an element', async ({ site, call, server }) => {
  await files(server);
  const { text: page } = await open(site, call, dropZone);
  const answer = await call('browser_drop', { ref: refOf(page, 'button', 'Drop here'), paths: ['a.txt'] });
  expect(answer.section('Result')).toBe('Dropped a.txt on button "Drop here".');
  expect(answer.section('Snapshot')).toContain('Got a.txt');
});

test('data is dropped onto an element', async ({ site, call }) => {
  await open(site, call, dropZone);
  const answer = await call('browser_drop', { selector: '#zone', data: { 'text/plain': 'words' } });
  expect(answer.section('Result')).toBe('Dropped text/plain on #zone.');
  expect(answer.section('Snapshot')).toContain('Got words');
});

test('a drop without data, or of a file outside the permitted folders, is rejected', async ({ site, call }) => {
  await open(site, call, dropZone);
  expect((await call('browser_drop', { selector: '#zone' })).kind).toBe('MISSING_PARAMETER');
  expect((await call('browser_drop', { selector: '#zone', paths: ['/etc/passwd'] })).kind).toBe('PATH_DENIED');
});

testWithout('[R-19] --no-file-upload removes the upload and drop tools', async ({ driver, callRaw }) => {
  const names = (await driver.client.listTools()).tools.map((tool) => tool.name);
  expect(names).not.toContain('browser_file_upload');
  expect(names).not.toContain('browser_drop');
  await expect(callRaw('browser_file_upload', { paths: ['a.txt'] })).rejects.toMatchObject({ code: -32601 });
});

test.for([[], ['--upload-root=up']])(
  '[R-36] with --compat playwright and %j, hidden files are not uploaded, and the upload directory holds',
  async (flags, { site }) => {
    await using server = await startApp(['--compat=playwright', ...flags]);
    const { folder } = server;
    await mkdir(join(folder, 'up', 'album'), { recursive: true });
    for (const name of ['.env', 'plain.txt', 'up/ok.txt', 'up/album/.secret']) await writeFile(join(folder, name), 'x');
    await symlink(join(folder, '.env'), join(folder, 'link.txt'));
    await using driver = await server.drive();
    await open(site, driver.call, '<input type="file" webkitdirectory id="folder"><input type="file" id="file">');
    const upload = async (target: string, name: string): Promise<boolean> => {
      await driver.callRaw('browser_click', { element: 'Field', target });
      const answer = await driver.callRaw('browser_file_upload', { paths: [join(folder, name)] });
      if (answer.isError) await driver.callRaw('browser_file_upload', {});
      return !answer.isError;
    };
    expect(await upload('#file', '.env')).toBe(false);
    expect(await upload('#file', 'link.txt')).toBe(false);
    expect(await upload('#folder', 'up/album')).toBe(false);
    expect(await upload('#file', 'plain.txt')).toBe(flags.length === 0);
    expect(await upload('#file', 'up/ok.txt')).toBe(true);
    const dropped = await driver.callRaw('browser_drop', {
      element: 'x',
      target: '#file',
      paths: [join(folder, '.env')],
    });
    expect(dropped.isError).toBe(true);
  },
);
