import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/**
 * Pages with a panel that a library shows and hides. Each click toggles it, and the library's own callback at the end of
 * the animation writes `shown` or `hidden` with the number of the click.
 */

const require = createRequire(import.meta.url);
const script = (path: string): string =>
  `<script>${readFileSync(require.resolve(path), 'utf8').replaceAll('</script', '<\\/script')}</script>`;

const page = (title: string, toggle: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>
  <button onclick="toggle(++count)">Toggle</button><p id="out">new</p>
  <section id="panel" style="display: none"><h2>Panel</h2><p>Text of the panel</p></section><script>
  let count = 0;
  const done = (what, number) => () => { out.textContent = what + ' ' + number };
  ${toggle}</script></body></html>`;

const jquery = script('jquery/dist/jquery.min.js');

const jqueryFade = (): string =>
  page(
    'jQuery fade',
    `const toggle = (n) => n % 2 ? $('#panel').fadeIn(done('shown', n)) : $('#panel').fadeOut(done('hidden', n));`,
    jquery,
  );

const jquerySlide = (): string =>
  page(
    'jQuery slide',
    `const toggle = (n) => n % 2 ? $('#panel').slideDown(done('shown', n)) : $('#panel').slideUp('slow', done('hidden', n));`,
    jquery,
  );

const gsap = (): string =>
  page(
    'GSAP',
    `const toggle = (n) => {
      panel.style.display = 'block';
      if (n % 2) gsap.from(panel, { opacity: 0, y: 40, onComplete: done('shown', n) });
      else gsap.to(panel, { height: 0, overflow: 'hidden', onComplete: () => { panel.style.display = 'none'; done('hidden', n)() } });
    };`,
    script('gsap/dist/gsap.min.js'),
  );

const anime = (): string =>
  page(
    'anime.js',
    `const toggle = (n) => {
      panel.style.display = 'block';
      anime.animate(panel, { opacity: n % 2 ? [0, 1] : 0, duration: 600, onComplete: done(n % 2 ? 'shown' : 'hidden', n) });
    };`,
    `<script>${bundled("import { animate } from 'animejs'; globalThis.anime = { animate };")}</script>`,
  );

/** A loop of the page's own. */
const frames = (): string =>
  page(
    'Frames',
    `const toggle = (n) => {
      panel.style.display = 'block';
      const start = performance.now();
      const step = (now) => {
        const part = Math.min(1, Math.max(0, (now - start) / 500));
        panel.style.transform = 'translateX(' + 300 * (n % 2 ? 1 - part : part) + 'px)';
        if (part < 1) requestAnimationFrame(step);
        else done(n % 2 ? 'shown' : 'hidden', n)();
      };
      requestAnimationFrame(step);
    };`,
  );

const motion = `
import React, { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AnimatePresence, motion } from 'framer-motion';

const h = React.createElement;

function App() {
  const [count, setCount] = useState(0);
  const [end, setEnd] = useState('new');
  const isOpen = count % 2 === 1;
  return h('div', null,
    h('button', { onClick: () => setCount(count + 1) }, 'Toggle'), h('p', null, end),
    h(AnimatePresence, { onExitComplete: () => setEnd('hidden ' + count) },
      isOpen && h(motion.section, {
        key: 'panel', initial: { opacity: 0, height: 0 }, animate: { opacity: 1, height: 'auto' }, exit: { opacity: 0, x: -100 },
        transition: { duration: 0.5 },
        onAnimationComplete: () => isOpen && setEnd('shown ' + count),
      }, h('h2', null, 'Panel'), h('p', null, 'Text of the panel'))));
}

createRoot(document.getElementById('root')).render(h(App));
`;

function framerMotion(): string {
  return `<!doctype html><title>framer-motion</title><div id="root"></div><script>${bundled(motion)}</script>`;
}

function bundled(contents: string): string {
  const [built] = buildSync({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
  }).outputFiles;
  return (built?.text ?? '').replaceAll('</script', '<\\/script');
}

export const animationPages: Readonly<Record<string, () => string>> = {
  'fadeIn and fadeOut of jQuery': jqueryFade,
  'slideDown and slideUp of jQuery': jquerySlide,
  GSAP: gsap,
  'anime.js': anime,
  'framer-motion': framerMotion,
  requestAnimationFrame: frames,
};
