// nanoGPT's way with a text: a GPT of characters, with a checkpoint to go on from, and the curve of its loss as CSV and SVG.
//
//   node characters.js text.txt build/characters [--steps 200]     # once more: goes on, 200 steps further

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { load, readModel, train } from 'glassformer';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'string', default: '200' } },
});
const [source, folder] = positionals;
const [steps, BATCH, LENGTH] = [Number(values.steps), 16, 64];
const gf = await load();

const text = readFileSync(source, 'utf8');
const letters = [...new Set(text)].sort();
const ids = [...text].map((letter) => letters.indexOf(letter));
const cut = Math.floor(0.9 * ids.length);
const part = (first) => ({
  target: ids.slice(first, first + LENGTH),
  labels: ids.slice(first + 1, first + LENGTH + 1),
});
const batchAt = (firsts) => ({
  target: firsts.map((first) => part(first).target),
  labels: firsts.map((first) => part(first).labels),
});
const firsts = (low, high, stream) =>
  Array.from(
    gf.uniform([BATCH], { seed: 1, stream, low, high: high - LENGTH - 1 }).data,
    Math.floor,
  );

mkdirSync(folder, { recursive: true });
const [checkpoint, curve] = [`${folder}/model.safetensors`, `${folder}/loss.csv`];
const size = { dModel: 64, heads: 4, layers: 2, maxLength: LENGTH, dropout: 0 };
const model = existsSync(checkpoint)
  ? gf.open(readModel(readFileSync(checkpoint)))
  : gf.model({ kind: 'gpt', vocab: letters.length, ...size, seed: 1 });
const rows = existsSync(curve) ? readFileSync(curve, 'utf8').trimEnd().split('\n').slice(1) : [];
const first = model.step;
const data = Array.from({ length: steps }, (_, i) => batchAt(firsts(0, cut, first + i)));
const validation = [batchAt(firsts(cut, ids.length, 1e6))];
const options = { optimizer: 'adamw', rate: 3e-3, clip: 1, validation, validateEvery: 20 };
for await (const { step, loss, validationLoss } of train(model, data, options)) {
  rows.push([step, loss, validationLoss ?? ''].join());
}
writeFileSync(checkpoint, model.save({ training: true }));
writeFileSync(curve, `step,loss,held out\n${rows.join('\n')}\n`);

const points = rows.map((row) => row.split(',').map(Number));
const [width, height, most] = [600, 300, Math.max(...points.map(([, loss]) => loss))];
const line = points.map(
  ([step, loss]) => `${(width * step) / model.step},${height * (1 - loss / most)}`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-40 -20 ${width + 60} ${height + 50}" font-family="sans-serif" font-size="14">
<path d="M0 0V${height}H${width}" fill="none" stroke="#888"/>
<polyline points="${line.join(' ')}" fill="none" stroke="#06c" stroke-width="2"/>
<text x="-6" y="5" text-anchor="end">${most.toFixed(1)}</text><text x="-6" y="${height}" text-anchor="end">0</text>
<text x="${width}" y="${height + 20}" text-anchor="end">step ${model.step}</text><text x="8" y="5">loss</text>
</svg>`;
writeFileSync(`${folder}/loss.svg`, svg);

const written = [];
const start = ids.slice(0, 8);
for await (const token of model.generate(start, {
  maxNewTokens: LENGTH - 8,
  temperature: 0.8,
  seed: 1,
}))
  written.push(letters[token]);
console.log(`step ${model.step} loss ${rows.at(-1).split(',')[1]}\n${written.join('')}`);
