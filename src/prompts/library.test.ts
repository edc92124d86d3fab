import { expect, test } from 'vitest';
import { PromptLibrary } from './library.ts';
import type { Prompt } from './prompt.ts';

const greet: Prompt = {
  name: 'greet',
  description: 'Greet a user',
  arguments: [
    { name: 'user', description: 'Name', required: true },
    { name: 'greeting', description: 'Greeting', required: false, default: 'Hello' },
  ],
  template: '{{greeting}}, {{user}}!',
};

test('[S1-78] a library registers, gets, lists and renders prompts', async () => {
  const library = new PromptLibrary();
  library.register(greet);
  expect(library.get('greet')).toBe(greet);
  expect(library.get('part')).toBeUndefined();
  expect(library.list()).toEqual([greet]);
  expect(await library.render('greet', { user: 'Ada' })).toBe('Hello, Ada!');
});

test('[S1-78] registering a name again replaces the prompt', async () => {
  const library = new PromptLibrary([greet]);
  library.register({ ...greet, template: 'Bye, {{user}}.' });
  expect(library.list()).toHaveLength(1);
  expect(await library.render('greet', { user: 'Ada' })).toBe('Bye, Ada.');
});

test.each(['Hello', ''])('[S1-81] the optional argument %j', async (greeting) => {
  const library = new PromptLibrary([greet]);
  expect(await library.render('greet', { user: 'Ada', greeting })).toBe('Hello, Ada!');
});

test('an argument of the prototype is missing', async () => {
  const library = new PromptLibrary([greet]);
  const inherited: Record<string, string> = Object.create({ user: 'Ada' });
  await expect(library.render('greet', inherited)).rejects.toThrow('Missing required argument: user');
});

test.each(['constructor', '__proto__', 'toString'])('a template cannot reach %s', async (name) => {
  const library = new PromptLibrary([{ ...greet, template: `{{lookup this "${name}"}}|{{user}}` }]);
  expect(await library.render('greet', { user: 'Ada' })).toBe('|Ada');
});

const login: Prompt = {
  name: 'login',
  description: 'Log in',
  arguments: [
    { name: 'url', description: 'URL', required: true },
    { name: 'fields', description: 'Fields', required: true, isObject: true },
    { name: 'password', description: 'Password', required: true, isSecret: true },
  ],
  template: '{{url}} {{#each fields}}{{@key}}={{this}};{{/each}}',
};

test.each([
  ['plain', 'https://ada:correct horse@example.com/', 'https://ada:[REDACTED]@example.com/'],
  ['percent-encoded', 'https://ada:correct%20horse@example.com/', 'https://ada:[REDACTED]@example.com/'],
])('a secret is removed from other arguments: %s', async (_form, url, shown) => {
  const library = new PromptLibrary([login]);
  const fields = JSON.stringify({ 'correct horse': 'my correct horse' });
  expect(await library.render('login', { url, fields, password: 'correct horse' })).toBe(
    `${shown} [REDACTED]=my [REDACTED];`,
  );
});

test.each([
  ['text', 'title=h1'],
  ['a list', '["h1"]'],
  ['null', 'null'],
  ['nested too deep', `{"a":${'['.repeat(49_000)}${']'.repeat(49_000)}}`],
])('an object argument that is %s is refused', async (_what, fields) => {
  const library = new PromptLibrary([login]);
  const rendered = library.render('login', { url: 'x', fields, password: 'secret' });
  await expect(rendered).rejects.toThrow('Invalid argument: fields must be a JSON object');
});
