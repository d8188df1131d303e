// Draws the moving picture of README.md: figures as the playground exports them, one after the other. With --check it fails
// if docs/picture.svg is another. Run by `make picture`.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load, traceExample } from '../bindings/index.js';
import { PALETTE } from '../bindings/js/base/palette.js';
import { viewOf } from '../tests/export/view.js';
import { timeline } from '../web/app/state/timeline.js';
import { figure } from '../web/stage/export/figure.js';

const file = path.join(import.meta.dirname, 'picture.svg');
const gf = await load();
const trace = traceExample(gf, 'i-love-robotics');
const line = timeline(trace.steps);

/** The moments that are shown: so many of each step, the last one at least. */
const SHOWN = { scores: 6, weights: 3, output: 3 };
const moments = Object.entries(SHOWN).flatMap(([name, count]) => {
  const stage = line.stages.findIndex((step) => step.name === name);
  const first = line.first[stage];
  const last = (line.first[stage + 1] ?? line.moments.length) - 1;
  return Array.from({ length: count }, (_, i) =>
    Math.round(first + ((i + 1) * (last - first)) / count),
  );
});

const WIDTH = 1000;
const HEIGHT = 640;
const SECONDS = 1.5;
const whole = SECONDS * moments.length;

/** A figure in the middle of the picture, without what only programs read. @param {number} t @param {number} i */
function frameOf(t, i) {
  const svg = figure(viewOf(gf, trace, t));
  const [, width, height, inside] = /** @type {RegExpExecArray} */ (
    /<svg [^>]*viewBox="0 0 (\S+) (\S+)"[^>]*>(.*)<\/svg>/s.exec(svg)
  );
  const scale = Math.min(1, WIDTH / Number(width), HEIGHT / Number(height));
  const x = (WIDTH - Number(width) * scale) / 2;
  const content = inside
    .replace(/<title>.*?<\/title>|<defs>.*?<\/defs>/gs, '')
    .replace(/ data-[\w-]+="[^"]*"/g, '')
    .replace(/\n\s*/g, '');
  return `<g style="animation-delay:${i * SECONDS}s"><g transform="translate(${x.toFixed(1)} 0) scale(${scale.toFixed(3)})">${content}</g></g>`;
}

const frames = moments.map(frameOf);
const head = /<svg [^>]*?(font-family="[^"]*")/.exec(figure(viewOf(gf, trace, moments[0])));
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${head?.[1]} font-variant-numeric="tabular-nums">
<title>Attention over three words: each score, the softmax of each row, the output</title>
<style>
svg > g { visibility: hidden; animation: shown ${whole}s step-end infinite }
@keyframes shown { 0% { visibility: visible } ${(100 / moments.length).toFixed(3)}% { visibility: hidden } }
@media (prefers-reduced-motion: reduce) {
  svg > g { animation: none }
  svg > g:last-of-type { visibility: visible }
}
</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="${PALETTE.light.paper}"/>
${frames.join('\n')}
</svg>
`;
if (!process.argv.includes('--check')) writeFileSync(file, picture);
else if (readFileSync(file, 'utf8') !== picture) {
  console.error('docs/picture.svg is not up to date: make picture');
  process.exitCode = 1;
}
