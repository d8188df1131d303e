// Code in the documentation runs as it is written and prints what stands beside it; no block is left out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { cli } from './bindings/cli/call.js';
import { I32, STRING } from './support/gguf.js';
import { blocks, blocksOf, filesNamed, read, root, write } from './support/markdown.js';
import { waits } from './support/sample.js';
import { CONFIG, smallGguf, TOKENS } from './support/small-gguf.js';

const folder = mkdtempSync(path.join(tmpdir(), 'glassformer-samples-'));
after(() => rmSync(folder, { recursive: true }));
const place = (name) => path.join(folder, name);
const fill = (name, text) => writeFileSync(place(name), text);

fill('glassformer', `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
chmodSync(place('glassformer'), 0o755);
const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
/** Runs a line as a reader would, in a folder of its own. */
const shell = (line) => spawnSync('sh', ['-ec', line], { cwd: folder, env, encoding: 'utf8' });

/** Who runs the code of a page, in each of its languages. */
const RUN = {
  'MIGRATION.md': { js: 'samples' },
  'README.md': { js: 'readme', sh: 'docs' },
  'bindings/README.md': { js: 'bindings/readme', mjs: 'bindings/text/minilm', sh: 'docs' },
  'bindings/python/README.md': { python: 'python', sh: 'python' },
  'docs/README.md': { sh: 'docs' },
  'docs/cite.md': { bibtex: 'release' },
  'docs/embedding.md': { html: 'web/embedding', mdx: 'samples', markdown: 'samples' },
  'docs/files.md': { js: 'samples' },
  'docs/headless/README.md': { sh: 'docs' },
  'docs/headless/cluster.md': { js: 'samples', sh: 'cluster', python: 'cluster' },
  'docs/inside.md': { js: 'samples', sh: 'docs' },
  'docs/lessons.md': { json: 'samples', sh: 'samples' },
  'docs/own-examples.md': { json: 'bindings/own-examples', sh: 'docs' },
  'docs/npm.md': { js: 'bindings/readme', mjs: 'samples', sh: 'docs' },
  'docs/teaching.md': { sh: 'samples', json: 'samples', html: 'samples', xml: 'samples' },
  'src/README.md': { sh: 'docs' },
};

test('every block of code has a test that runs it', () => {
  const pages = filesNamed('.md').filter((name) => /(^|\/)README\.md$|^docs\//.test(name));
  const alone = [];
  for (const page of pages) {
    // tests/api.test.js runs docs/api.md; what is printed, and what needs another program, is text.
    if (page === 'docs/api.md') continue;
    for (const { language } of blocksOf(page)) {
      if (!language || language === 'text') continue;
      const name = RUN[page]?.[language];
      const code = name && read(`tests/${name}.test.js`);
      if (!(name === 'docs' || code?.includes(page))) {
        alone.push(`${page}: ${language}`);
      }
    }
  }
  assert.deepEqual(alone, []);
});

/** What a sample says that it prints: the comment behind each console.log. */
const promised = (code) =>
  [...code.matchAll(/console\.log\(.*\)[;,] \/\/ (.+)$/gm)].map(([, text]) => text);

/** What a sample prints, as lines. */
function printed(name, code) {
  const file = write(name, code);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n');
}

for (const [i, code] of blocks('docs/inside.md', 'js').entries()) {
  test(`docs/inside.md: JavaScript block ${i + 1}`, () => {
    const lines = promised(code);
    assert.ok(lines.length > 0);
    assert.deepEqual(printed(`inside-${i}.js`, code), lines);
  });
}

test('docs/files.md: a GGUF continues a text, chats, and writes JSON of a schema', () => {
  /* The signs of JSON, and room for a chat. */
  const tokens = [...TOKENS, ...'{}":-_0123456789'];
  const types = tokens.map((_, id) => (id < 2 ? 3 : 1));
  const more = {
    'tokenizer.ggml.tokens': [[STRING], tokens],
    'tokenizer.ggml.token_type': [[I32], types],
  };
  fill('smollm2.gguf', smallGguf(more, { ...CONFIG, max_position_embeddings: 512 }));
  const code = blocks('docs/files.md', 'js').join('\n');
  const lines = printed(
    'files.js',
    `${code}\nconsole.log(typeof JSON.parse(json).legs, smol.tokenizer.stops.length);`,
  );
  assert.match(lines.at(-2), /5 [1-9]\d+$/);
  assert.equal(lines.at(-1), 'number 1');
});

test('docs/headless/cluster.md: glassformer map runs the program', () => {
  const [program] = blocks('docs/headless/cluster.md', 'js');
  const [line] = blocks('docs/headless/cluster.md', 'sh');
  copyFileSync(path.join(root, 'docs/headless/attention.jsonl'), place('rows.jsonl'));
  write('attend.mjs', program);
  const there = line.replace('attend.mjs', path.join(root, 'build/readme/attend.mjs'));
  const { status, stderr } = shell(there);
  assert.equal(status, 0, stderr);
  const [first] = readFileSync(place('weights.jsonl'), 'utf8')
    .split('\n', 1)
    .map((row) => JSON.parse(row));
  // The second query agrees with itself by 1 and with the first key by 0, over the root of 2.
  const share = Math.exp(Math.SQRT1_2) / (1 + Math.exp(Math.SQRT1_2));
  assert.ok(Math.abs(first[1][1] - share) < 1e-6, `${first[1]}`);
});

test('docs/lessons.md: the smallest lesson, and the gate in one of ours', () => {
  const [smallest, gate] = blocks('docs/lessons.md', 'json').map((text) => JSON.parse(text));
  const [line] = blocks('docs/lessons.md', 'sh');
  const lesson = JSON.parse(read('web/lessons/one-score.json'));
  const scene = lesson.scenes.find((scene) => scene.gate?.numbers);
  const scenes = [{ ...scene, gate, after: undefined }];
  for (const one of [smallest, { ...lesson, scenes }]) {
    fill('mine.json', JSON.stringify(one));
    const { status, stdout, stderr } = shell(line);
    assert.equal(status, 0, stdout + stderr);
  }
});

test('docs/teaching.md: every command, in order', (t) => {
  if (waits(t)) return;
  const page = 'docs/teaching.md';
  fill('lesson.md', '# A score\n\nq = [1, 2], k = [2, 1]\n\nThe score is 1 · 2 + 2 · 1 = 5.\n');
  fill('answers.json', blocks(page, 'json')[0]);
  fill('exam.txt', blocks(page, 'text')[0]);
  fill('scale.txt', 'scale = 1/3');
  for (const code of blocks(page, 'sh')) {
    for (const line of code.trim().split('\n')) {
      const { status, stdout, stderr } = shell(line);
      assert.equal(status, line.includes('glassformer check') ? 3 : 0, `${line}\n${stderr}`);
      assert.ok(stdout || /--out|unzip/.test(line), line);
    }
  }
  assert.match(readFileSync(place('corrected.md'), 'utf8'), /1 · 2 \+ 2 · 1 = 4\./);

  const [frame] = blocks(page, 'html');
  const [problem, exercise] = blocks(page, 'xml');
  for (const code of [frame, exercise]) {
    const [, name] = /(?:src|iframe)="(\S+)"/.exec(code);
    assert.match(readFileSync(place(name), 'utf8'), /^<!doctype html>/i);
  }
  /* What Open edX is given: the state of the frame, as text within text. */
  const [, grader] = /<script type="loncapa\/python">\n(.*)<\/script>/s.exec(problem);
  const answer = JSON.stringify({ answer: JSON.stringify({ score: 0.5, points: 1, max: 2 }) });
  fill(
    'grader.py',
    `${grader.trim()}\nprint(marked(None, '${answer.replaceAll('\\', '\\\\')}'))\n`,
  );
  assert.match(shell('python3 grader.py').stdout, /'ok': 'partial', 'grade_decimal': 0\.5/);
});

test('the hosts of docs/embedding.md and docs/npm.md are written as their tests have them', () => {
  for (const [page, language, file] of [
    ['docs/embedding.md', 'mdx', 'tests/embeds/docusaurus/docs/attention.mdx'],
    ['docs/npm.md', 'mjs', 'tests/consumers/workerd/worker.js'],
  ]) {
    const [code] = blocks(page, language);
    const host = read(file);
    for (const [, name] of code.matchAll(/^import .*'(.+)';$/gm)) {
      assert.ok(host.includes(`'${name}'`), `${file} imports ${name}`);
    }
  }
  const [widget] = blocks('docs/embedding.md', 'markdown');
  const [head] = widget.split('\n');
  assert.ok(read('tests/embeds/myst/course.md').includes(head));
  JSON.parse(widget.split('\n').slice(1, -2).join(''));
});
