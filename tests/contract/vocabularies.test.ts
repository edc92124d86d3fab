import { describe, expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema/schema.ts';
import { describeTool } from '../../src/mcp/describe.ts';
import { chooseTools } from '../../src/policy/tools.ts';
import { allTools } from '../../src/tools/all.ts';
import { aliases } from '../../src/tools/vocabularies/index.ts';
import type { Tool, Toolset } from '../../src/call/tool.ts';
import { formattedJson } from './json.ts';
import { listedByPeer } from './peer.ts';

/** The tools of the design vocabulary with their arguments, as in the specification. */
const design = `
navigate            {url: string, waitUntil?: string, timeout?: number}
go_back             {}
go_forward          {}
reload              {ignoreCache?: boolean}
wait_for_load       {state?: 'load'|'domcontentloaded'|'networkidle'}
click               {selector: string, button?: string, clickCount?: number}
type                {selector: string, text: string, delay?: number}
fill                {selector: string, value: string}
select              {selector: string, value: string}
check               {selector: string}
uncheck             {selector: string}
hover               {selector: string}
scroll              {x?: number, y?: number}
drag_and_drop       {source: string, target: string}
upload_file         {selector: string, files: string[]}
press               {key: string, modifiers?: string[]}
get_text            {selector: string}
get_all_text        {selector: string}
get_attribute       {selector: string, attribute: string}
get_value           {selector: string}
screenshot          {fullPage?: boolean, type?: 'png'|'jpeg', quality?: number}
screenshot_element  {selector: string, type?: 'png'|'jpeg'}
extract_table       {selector: string}
extract_links       {selector?: string}
get_page_metadata   {}
evaluate            {script: string, args?: any[]}
create_session      {userAgent?: string, viewport?: object}
close_session       {sessionId: string}
list_sessions       {}
get_cookies         {sessionId?: string}
set_cookies         {cookies: object[], sessionId?: string}
save_state          {sessionId: string}
restore_state       {sessionId: string, state: object}
block_resource      {resourceType: string}
mock_response       {url: string, response: object}
set_offline         {offline: boolean}
set_throttling      {downloadSpeed: number, uploadSpeed: number, latency: number}
get_request_log     {filter?: string}
find_element        {selector: string, timeout?: number}
find_elements       {selector: string}
element_exists      {selector: string}
is_visible          {selector: string}
is_enabled          {selector: string}
wait_for_selector   {selector: string, state?: string, timeout?: number}`;

/** The session tools with their arguments, as in the specification. */
const sessions = `
create_session      {}
close_session       {sessionId: string}
navigate            {sessionId: string, url: string}
click               {sessionId: string, selector: string, options?: object}
type                {sessionId: string, selector: string, text: string, options?: object}`;

/** The tools of a set, as a server lists them. */
function membersOf(set: Toolset): readonly Tool[] {
  const { tools } = chooseTools<Tool>(allTools, aliases, configSchema.parse({ toolsets: [set] }));
  return tools;
}

interface Schema {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly items?: unknown;
}

/** A type in the notation of the specification. An enum is accepted where it says string. */
function typeText(schema: Schema, written: string): string {
  const { items, enum: words } = schema;
  if (Array.isArray(words) && written !== 'string') return words.map((word) => `'${String(word)}'`).join('|');
  if (schema.type === 'array' && typeof items === 'object' && items !== null) return `${typeText(items, '')}[]`;
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function signature(tool: Tool, written: string): string {
  const { properties, required = [] } = describeTool(tool).inputSchema;
  const args = Object.entries(properties).map(([name, schema]) => {
    const known = new RegExp(`\\b${name}\\??: ([^,}]+)`).exec(written)?.[1] ?? '';
    return `${name}${required.includes(name) ? '' : '?'}: ${typeText(schema, known)}`;
  });
  return `{${args.join(', ')}}`;
}

function parsed(text: string): readonly (readonly [string, string])[] {
  return text
    .trim()
    .split('\n')
    .map((line) => [line.split(/\s+/)[0] ?? '', line.slice(line.indexOf('{'))] as const);
}

describe.each([
  ['design', design, 44],
  ['sessions', sessions, 5],
] as const)('%s', (set, text, count) => {
  const specified = parsed(text);
  const tools = membersOf(set);

  test('[R-3, S3-50] matches its specification in names and arguments', () => {
    expect(specified).toHaveLength(count);
    const listed = tools.map((tool) => {
      const written = specified.find(([name]) => name === tool.name)?.[1] ?? '';
      return [tool.name, signature(tool, written)];
    });
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(specified));
  });

  test('describes each tool and each argument', () => {
    const odd = tools.map(describeTool).flatMap(({ name, description, inputSchema }) => [
      ...(/^[A-Z].*\.$/.test(description) ? [] : [name]),
      ...Object.entries(inputSchema.properties)
        .filter(([, schema]) => !/^[A-Z]/.test(String(schema['description'])))
        .map(([key]) => `${name}.${key}`),
    ]);
    expect(odd).toEqual([]);
  });
});

test.each(['basic', 'design', 'sessions', 'playwright'] as const)('%s is listed as in its snapshot', async (set) => {
  await expect(formattedJson(membersOf(set).map(describeTool))).toMatchFileSnapshot(`./vocabularies/${set}.json`);
});

test('[R-2] an alias refers to an existing tool and has its effect', () => {
  const byName = new Map<string, Tool>(allTools.map((tool) => [tool.name, tool]));
  const odd = aliases.filter(({ does, effect }) => byName.get(does)?.effect !== effect);
  expect(odd.map(({ name }) => name)).toEqual([]);
  expect(aliases.filter(({ does, name }) => does !== name).length).toBeGreaterThan(20);
});

test('[R-3] an alias accepts arguments of its tool that it does not list', () => {
  const named = (set: 'design' | 'sessions' | 'basic', name: string): Tool | undefined =>
    membersOf(set).find((tool) => tool.name === name);
  const calls = [
    [named('design', 'click'), { ref: 'e1', doubleClick: true, modifiers: ['Shift'] }],
    [named('design', 'click'), { target: 'e1', sessionId: 's', maxTokens: 500 }],
    [named('design', 'fill'), { selector: '#a', text: 'x', submit: true }],
    [named('design', 'drag_and_drop'), { startRef: 'e1', endRef: 'e2' }],
    [named('design', 'drag_and_drop'), { startTarget: 'e1', endTarget: 'e2' }],
    [named('design', 'evaluate'), { function: '() => 1', ref: 'e1' }],
    [named('design', 'select'), { selector: '#a', values: ['x'] }],
    [named('design', 'get_text'), { ref: 'e1' }],
    [named('sessions', 'type'), { sessionId: 's', selector: '#a', text: 'x', slowly: true }],
    [named('basic', 'browser_click'), { ref: 'e1', element: 'The button' }],
    [named('basic', 'browser_screenshot'), { target: 'e1', filename: 'a.png' }],
  ] as const;
  for (const [tool, args] of calls)
    expect(tool?.prepare(args).notes, `${tool?.name} ${JSON.stringify(args)}`).toEqual([]);
});

/** The type and choices of an argument, without their choice for resetting a value. */
function kindOf(schema: unknown): unknown {
  const { type, enum: words, anyOf, items, properties } = Object(schema);
  if (Array.isArray(anyOf)) return kindOf(anyOf[0]);
  return {
    type: type === 'integer' ? 'number' : type,
    ...(Array.isArray(words) ? { words: words.filter((word) => word !== 'no-preference') } : {}),
    ...(items === undefined ? {} : { items: kindOf(items) }),
    ...(type === 'object' && properties !== undefined ? { properties: argumentsOf(properties) } : {}),
  };
}

function argumentsOf(properties: object): unknown {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, kindOf(schema)]));
}

test('[R-3] playwright lists the tools and arguments of @playwright/mcp, except the one that runs code in the server', async () => {
  const theirs = (await listedByPeer()).filter(({ name }) => name !== 'browser_run_code_unsafe');
  const ours = membersOf('playwright').map(describeTool);
  expect(ours.map(({ name }) => name).sort()).toEqual(theirs.map(({ name }) => name).sort());
  for (const { name, inputSchema } of theirs) {
    const own = ours.find((tool) => tool.name === name)?.inputSchema;
    expect(argumentsOf(own?.properties ?? {}), name).toEqual(argumentsOf(inputSchema.properties ?? {}));
    // They list arguments with a default as required.
    const needed = (inputSchema.required ?? []).filter(
      (key) => !('default' in Object(Reflect.get(Object(inputSchema.properties), key))),
    );
    expect([...(own?.required ?? [])].sort(), name).toEqual(needed.sort());
  }
});
