import type { ServerName } from '../servers.ts';

export interface Field {
  readonly ref: string;
  readonly name: string;
  readonly type: 'textbox' | 'checkbox' | 'radio' | 'combobox' | 'slider';
  readonly value: string;
}

/** What a rule wants done. Each server does it with its own tools. */
export type Action =
  | { readonly do: 'navigate'; readonly url: string }
  | { readonly do: 'snapshot' }
  | { readonly do: 'wait'; readonly text: string }
  /** Shows what a snapshot left out. Only pagehelm's snapshots have cursors. */
  | { readonly do: 'expand'; readonly cursor: string }
  | {
      readonly do: 'click';
      readonly ref: string;
      readonly double?: boolean;
      readonly button?: 'right';
      readonly modifiers?: readonly string[];
    }
  | { readonly do: 'clickAt'; readonly ref: string; readonly x: number; readonly y: number }
  | { readonly do: 'hover'; readonly ref: string }
  | {
      readonly do: 'type';
      readonly ref: string;
      readonly text: string;
      readonly submit?: boolean;
      readonly slowly?: boolean;
    }
  | { readonly do: 'fill'; readonly fields: readonly Field[] }
  | { readonly do: 'select'; readonly ref: string; readonly values: readonly string[] }
  | { readonly do: 'press'; readonly key: string; readonly count: number }
  | { readonly do: 'drag'; readonly from: string; readonly to: string }
  | { readonly do: 'dragBy'; readonly ref: string; readonly x: number; readonly y: number }
  | { readonly do: 'dragInside'; readonly ref: string; readonly from: Point; readonly by: Point }
  | { readonly do: 'selectText'; readonly ref: string; readonly text: string }
  | { readonly do: 'scroll'; readonly ref: string; readonly y: number }
  | { readonly do: 'dialog'; readonly accept: boolean; readonly text?: string };

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Adapter = (action: Action) => readonly ToolCall[];

function call(name: string, args: Record<string, unknown> = {}): readonly ToolCall[] {
  return [{ name, args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)) }];
}

const pagehelm: Adapter = (action) => {
  switch (action.do) {
    case 'navigate':
      return call('browser_navigate', { url: action.url });
    case 'snapshot':
      return call('browser_snapshot');
    case 'wait':
      return call('browser_wait_for', { text: action.text });
    case 'expand':
      return call('browser_snapshot', { cursor: action.cursor });
    case 'click': {
      const { ref, double: doubleClick, button, modifiers } = action;
      return call('browser_click', { ref, doubleClick, button, modifiers });
    }
    case 'clickAt':
      return call('browser_click', { ref: action.ref, x: action.x, y: action.y });
    case 'hover':
      return call('browser_hover', { ref: action.ref });
    case 'type': {
      const { ref, text, submit, slowly } = action;
      return call('browser_type', { ref, text, submit, slowly });
    }
    case 'fill':
      return call('browser_fill_form', { fields: action.fields.map(({ ref, value }) => ({ ref, value })) });
    case 'select':
      return call('browser_select_option', { ref: action.ref, values: action.values });
    case 'press':
      return call('browser_press_key', { key: action.key, count: action.count === 1 ? undefined : action.count });
    case 'drag':
      return call('browser_drag', { startRef: action.from, endRef: action.to });
    case 'dragBy':
      return call('browser_drag', { startRef: action.ref, x: action.x, y: action.y });
    case 'dragInside': {
      const { ref, from, by } = action;
      return call('browser_drag', { startRef: ref, startX: from.x, startY: from.y, x: by.x, y: by.y });
    }
    case 'selectText':
      return call('browser_select_text', { ref: action.ref, text: action.text });
    case 'scroll':
      return call('browser_scroll', { ref: action.ref, y: action.y });
    case 'dialog':
      return call('browser_handle_dialog', { accept: action.accept, promptText: action.text });
  }
};

/** The peer has no tool for some actions. Its tools for scripts are listed by default, and do them in one call. */
const peer: Adapter = (action) => {
  switch (action.do) {
    case 'navigate':
      return call('browser_navigate', { url: action.url });
    case 'snapshot':
      return call('browser_snapshot');
    case 'wait':
      return call('browser_wait_for', { text: action.text });
    case 'expand':
      return call('browser_snapshot', { cursor: action.cursor });
    case 'click': {
      const { ref: target, double: doubleClick, button, modifiers } = action;
      return call('browser_click', { target, doubleClick, button, modifiers });
    }
    case 'clickAt': {
      const { ref, x, y } = action;
      return code(`await page.locator('aria-ref=${ref}').click({ position: { x: ${x}, y: ${y} } });`);
    }
    case 'hover':
      return call('browser_hover', { target: action.ref });
    case 'type': {
      const { ref: target, text, submit, slowly } = action;
      return call('browser_type', { target, text, submit, slowly });
    }
    case 'fill': {
      const fields = action.fields.map(({ ref: target, name, type, value }) => ({ target, name, type, value }));
      return call('browser_fill_form', { fields });
    }
    case 'select':
      return call('browser_select_option', { target: action.ref, values: action.values });
    case 'press':
      return Array.from({ length: action.count }, () => call('browser_press_key', { key: action.key })).flat();
    case 'drag':
      return call('browser_drag', { startTarget: action.from, endTarget: action.to });
    case 'dragBy':
      return dragCode(action.ref, 'box.width / 2', 'box.height / 2', action);
    case 'dragInside':
      return dragCode(action.ref, String(action.from.x), String(action.from.y), action.by);
    case 'selectText':
      return call('browser_evaluate', { target: action.ref, function: selectScript(action.text) });
    case 'scroll':
      return call('browser_evaluate', {
        target: action.ref,
        function: `(element) => element.scrollBy(0, ${action.y})`,
      });
    case 'dialog':
      return call('browser_handle_dialog', { accept: action.accept, promptText: action.text });
  }
};

function code(body: string): readonly ToolCall[] {
  return call('browser_run_code_unsafe', { code: `async (page) => { ${body} }` });
}

function dragCode(ref: string, startX: string, startY: string, by: Point): readonly ToolCall[] {
  return code(`const box = await page.locator('aria-ref=${ref}').boundingBox();
const x = box.x + ${startX}, y = box.y + ${startY};
await page.mouse.move(x, y); await page.mouse.down();
await page.mouse.move(x + ${by.x}, y + ${by.y}, { steps: 5 }); await page.mouse.up();`);
}

function selectScript(text: string): string {
  return `(element) => {
  const text = ${JSON.stringify(text)};
  element.focus();
  if ('value' in element) {
    const at = element.value.indexOf(text);
    return element.setSelectionRange(at, at + text.length);
  }
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(text);
    if (at >= 0) return getSelection().setBaseAndExtent(node, at, node, at + text.length);
  }
}`;
}

export const adapters: Readonly<Record<ServerName, Adapter>> = { pagehelm, peer };
