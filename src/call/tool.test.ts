import { expect, test } from 'vitest';
import { nearestTool } from './tool.ts';

const names = ['browser_click', 'browser_close', 'browser_type', 'browser_find', 'create_session', 'navigate'];

test.each([
  ['browser_clik', 'browser_click'],
  ['clik', 'browser_click'],
  ['browserClick', 'browser_click'],
  ['brwser_click', 'browser_click'],
  ['cl', 'browser_click'],
  ['creat_session', 'create_session'],
  ['browser_navigat', 'navigate'],
])('%s suggests %s', (name, near) => {
  expect(nearestTool(name, names)).toBe(near);
});

test.each(['nope', 'browser_nope', 'browser_', 'b', 'make_coffee', ''])('%j suggests nothing', (name) => {
  expect(nearestTool(name, names)).toBeUndefined();
});
