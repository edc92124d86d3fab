import { expect, test } from 'vitest';
import { clickPath } from '../../scripts/click-path.mjs';

test('a plain click enters session/ from tools/ once, and session/ calls back no tool', async () => {
  const { files, crossings } = await clickPath();
  expect(files).toContain('src/session/act/fast-path.ts');
  expect(crossings).toEqual([{ from: 'src/tools/lib/act.ts', to: 'src/session/act/act.ts' }]);
});
