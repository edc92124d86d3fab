import { spawn } from 'node:child_process';
import { isLongRun } from '../extent.ts';
import { expect, open, refOf, test } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';
import { animationPages } from '../site/animation-libraries.ts';

/** Every answer contains what the page writes at the end of the animation. */
async function toggle(site: Site, call: Call, page: () => string): Promise<void> {
  const { text } = await open(site, call, page());
  const ref = refOf(text, 'button', 'Toggle');
  for (const end of ['shown 1', 'hidden 2', 'shown 3']) {
    const answer = await call('browser_click', { ref });
    expect(answer.section('Snapshot'), answer.text).toContain(end);
  }
}

test.for(Object.entries(animationPages))(
  'the end of an animation is in the answer: %s',
  async ([, page], { site, call }) => {
    await toggle(site, call, page);
  },
);

// It takes the CPUs from all other tests.
if (isLongRun) {
  test('the end of an animation is in the answer while two processes are busy', async ({ site, call }) => {
    const busy = [1, 2].map(() =>
      spawn(process.execPath, ['-e', 'for (const end = Date.now() + 60_000; Date.now() < end;);']),
    );
    try {
      for (const page of Object.values(animationPages)) await toggle(site, call, page);
    } finally {
      for (const child of busy) child.kill('SIGKILL');
    }
  });
}
