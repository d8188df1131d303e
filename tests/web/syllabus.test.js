// docs/syllabus.md: every section of the texts is in it, every link opens at the moment that it names,
// and the numbers that it calls wrong are those that the core finds wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { examples, load, sentence, traceExample } from '../../bindings/index.js';
import { printedAs } from '../../bindings/js/number/judge.js';
import { beside } from '../../web/stage/draw/format.js';
import { sample } from '../support/sample.js';
import { inBrowser, ready, settled } from './browser.js';

const BASE = 'http://localhost:8080/';
const page = readFileSync(new URL('../../docs/syllabus.md', import.meta.url), 'utf8');
const [course, wrong] = page.split('\n## Where the texts are wrong\n');
const links = Object.fromEntries(
  [...page.matchAll(/^\[([\w-]+)\]: (\S+)$/gm)].map(([, id, address]) => [id, address]),
);
/** What a link's name begins with, so that a test opens it. */
const WALKS = ['Attention', 'Heads', 'Positions', 'Transformer', 'Training'];
const GUIDED = ['Inside', 'Learn', 'Exercises'];
/** The cells of each row of the tables in a part of the page. */
const rowsOf = (text) =>
  [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row.split(/ ?\| /).map((x) => x.trim()));
const linksIn = (text) => [...text.matchAll(/\[([^\][]+)\]\[([\w-]+)\]/g)];

/** The headings of the texts, as they have them; where one has a heading twice, what tells them apart. */
const SECTIONS = {
  Walkthrough: `
    Problem Setup; Step 0 — Tokenization; Step 1 — Embeddings; Step 2 — Projection Matrices;
    Step 3 — Computing Q, K, and V; 3.1 Query for "love"; 3.2 Keys; 3.3 Values;
    Step 4 — Attention Scores; Step 5 — Scaling; Step 6 — Softmax; Step 7 — Weighted Sum of Values;
    Step 8 — Full Matrix Form; Why Each Step Exists; What Breaks If a Step Is Removed;
    Connection to Multi-Head Attention; Summary; Final One-Line Insight`,
  Architecture: `
    1. Introduction: What is Attention?; 2. Input Tokens and Their Representation;
    3. Generating Query, Key, and Value; 4. Computing Attention Scores; 5. Softmax Normalization;
    6. Computing the Attention Output; 7. (Optional) Output Projection;
    Key Differences and Clarifications; Multi-Headed Attention (Briefly)`,
  'Three tokens': `
    1. Input Setup; 2. Learnable Matrices; 3. Compute Q, K, V; 4. Calculate Attention Scores;
    5. Scale and Softmax; 6. Weighted Sum of Values; 7. Interpretation; Key Equations;
    Why This Works`,
  Numerical: `
    Input + Positional Encoding; Create Q, K, V; Compute Attention Scores; Scale Scores;
    Apply Softmax; Weighted Sum with Values; Intuition`,
  Guide: `
    What Problem Does This Paper Solve?; Key Innovations; How RNNs Work; Problems;
    The Transformer Solution; What is Attention?; Attention as Information Retrieval;
    Mathematical Formulation; Step-by-Step Explanation; Step 1: Create Q, K, V;
    Step 2: Compute Attention Scores; Step 3: Scale Scores; Step 4: Apply Softmax;
    Step 5: Compute Weighted Sum; Complete Formula; Visual Summary; Why Multiple Heads?;
    How It Works; Mathematical Formulation (heads); Detailed Example;
    What Do Different Heads Learn?; Computational Complexity; The Position Problem;
    Solution: Positional Encoding; Sinusoidal Positional Encoding; Why This Formula?;
    Detailed Example (positions); Frequency Pattern; Visualization; Adding to Embeddings;
    Overall Structure; Encoder Architecture; Decoder Architecture; Masked Self-Attention;
    Cross-Attention; Residual Connections; Layer Normalization; Feed-Forward Network;
    Complete Parameter Count; Training Objective; Loss Function; Training Example; Optimization;
    Label Smoothing; Dropout; Batch Processing; Example 1: Simple Attention Calculation;
    Example 2: Positional Encoding; Example 3: Multi-Head Attention Split;
    Why Attention Works: Information Theory View; Gradient Flow Analysis;
    Computational Complexity Analysis; Why Multiple Layers?; Attention Pattern Analysis;
    Universal Approximation; Key Innovations (summary); Core Equations; Complexity; Impact;
    References`,
};

test('every section of every text has its place in the course', () => {
  const rows = rowsOf(course).filter(
    ([first]) => first.split(': ', 1)[0] in SECTIONS && first.includes(': '),
  );
  const listed = Object.entries(SECTIONS).flatMap(([text, names]) =>
    names.split(';').map((name) => `${text}: ${name.trim().replace(/\s+/g, ' ')}`),
  );
  assert.deepEqual(rows.map(([first]) => first).sort(), listed.sort());
  for (const [name, taught, where] of rows) {
    assert.equal(linksIn(where).length, 1, name);
    assert.ok(taught.length > 15, name);
  }
});

test('every link has an address, every address a link', () => {
  const used = new Set(linksIn(page).map(([, , id]) => id));
  assert.deepEqual([...used].sort(), Object.keys(links).sort());
  for (const address of Object.values(links)) assert.ok(address.startsWith(`${BASE}#`), address);
  for (const [, name] of linksIn(page))
    assert.ok([...WALKS, ...GUIDED].includes(name.split(' › ')[0]), name);
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const [, to] of page.matchAll(/\]\(#([^)]*)\)/g)) assert.ok(headings.includes(to), to);
});

/** What the core says of the printed numbers of the examples: which are wrong, and which are neither wrong nor rounded. */
async function verdicts() {
  const gf = await load();
  const rows = Object.keys(examples).flatMap((name) => {
    const trace = traceExample(gf, name);
    const cells = Object.entries(trace.printed).flatMap(([node, { text, verdict }]) =>
      verdict.map((one, i) => ({ name: '', printed: text[i], one, is: trace.step(node).data[i] })),
    );
    const asides = trace.asides.map(({ text, verdict, computed }, i) => {
      const { printed } = examples[name].asides[i];
      return { name: `${text} `, printed, one: verdict, is: computed };
    });
    trace.dispose();
    return [...cells, ...asides].map((row) => ({
      ...row,
      told: `${row.name}${row.printed} → ${beside(Math.fround(row.is), row.printed ?? '')}`,
    }));
  });
  const of = (...kinds) => rows.filter(({ one }) => kinds.includes(one)).map(({ told }) => told);
  return { wrong: of('wrong'), others: of('truncated', 'working') };
}

test('the wrong numbers are those that the core finds wrong, and what it computes', async () => {
  const [told, others] = wrong
    .split('\n### Neither wrong nor rounded\n')
    .map((part) => rowsOf(part).flatMap((cells) => cells[2].split(', ')))
    .map((cells) => cells.filter((cell) => / → (?!it is|rounded)/.test(cell)));
  assert.deepEqual({ wrong: told, others }, await verdicts());
});

/** What may bear the name of a view, a step, a number or a verdict. */
const NAMES = [
  '[aria-current="page"], [aria-pressed="true"], [aria-current="step"] text',
  'h2, h3, th, figcaption, .what, label, .facts td, .verdict b',
].join();

/** What a link's name promises: 'view › step › cell = 0.5, gradient 0'. '-inf' is a number, too.
 * @param {string} name */
function promised(name) {
  const [path, numbers = ''] = name.split(' = ');
  const [value, gradient] = numbers.split(', gradient ');
  return { parts: path.split(' › '), value: value.replace('inf', 'Infinity'), gradient };
}

/** Whether a number is the one that a name has, rounded. @param {number} is @param {string} due */
const isNamed = (is, due) =>
  printedAs({ value: Number(due), unit: 10 ** -(due.split('.')[1] ?? '').length }, is) ===
  'rounded';

/** The example or the sentence of a link, computed in Node as the page computes it, with the cell that it picks.
 * @param {Awaited<ReturnType<typeof load>>} gf @param {string} address */
function computed(gf, address) {
  const state = new Map(
    address
      .split('#')[1]
      .split('&')
      .map((part) => /** @type {[string, string]} */ (part.split(/=(.*)/s).slice(0, 2))),
  );
  const cellOf = (/** @type {string} */ text) => {
    const [node, index] = text.split(':');
    return { node, index: index.split(',').map(Number) };
  };
  const [dModel, dK, heads, seed, flags, text] = (state.get('sentence') ?? '').split('~');
  const example = text
    ? sentence(decodeURIComponent(text), {
        ...{ dModel: Number(dModel), dK: Number(dK), heads: Number(heads), seed: Number(seed) },
        ...{ positions: flags.includes('p'), causal: flags.includes('c') },
      })
    : String(state.get('example'));
  const edits = (state.get('edits')?.split('~') ?? []).map((edit) => {
    const [cell, value] = edit.split('=');
    return { ...cellOf(cell), value: Number(value) };
  });
  const remove = /** @type {any[]} */ (state.get('remove')?.split(',') ?? []);
  const trace = traceExample(gf, example, { remove, edits });
  const target = state.get('target');
  if (target) trace.gradient(cellOf(target).node, cellOf(target).index);
  const { node, index } = cellOf(String(state.get('path')));
  const { data, grad, shape } = trace.step(node);
  const flat = index.reduce((sum, i, axis) => sum * shape[axis] + i, 0);
  const numbers = { value: data[flat], gradient: grad?.[flat] };
  trace.dispose();
  return numbers;
}

test('each number and gradient that a link to Attention names is the one that Node computes', async () => {
  const gf = await load();
  const named = linksIn(page).filter(([, name]) => /^Attention .* = /.test(name));
  assert.ok(named.length > 30, String(named.length));
  for (const [, name, id] of named) {
    const { value, gradient } = promised(name);
    const numbers = computed(gf, links[id]);
    assert.ok(isNamed(numbers.value, value), `${name}: ${numbers.value}`);
    if (gradient) assert.equal(numbers.gradient, Number(gradient), name);
  }
});

test('each link to a claim names its verdict, each number of a text its cell', () => {
  for (const [, name, id] of linksIn(page)) {
    const address = links[id];
    if (/claim=(?!sharpness)/.test(address)) assert.match(name, / › The claim \w+/, name);
    if (/example=(?!ten-tokens)[\w-]+&.*path=/.test(address) && / of /.test(name))
      assert.match(name, / of .* = |without/, name);
  }
});

/**
 * What of a link's name is not on the page: 'd_k' there is d with a lower k, and a label may be followed
 * by its field.
 * @param {{ parts: string[], names: string }} wanted
 */
function missing({ parts, names }) {
  const plain = (text) => text.replaceAll('_', '').replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  const shown = [...document.querySelectorAll(names)]
    .filter((element) => element.checkVisibility())
    .map(({ tagName, childNodes, textContent }) => {
      const words = [...childNodes].find((node) => node.nodeType === 3 && node.data.trim());
      return plain(tagName === 'LABEL' ? (words?.data ?? '') : textContent);
    });
  return parts.filter((part) => !shown.includes(plain(part)));
}

/**
 * The same once it is there, or after a while.
 * @param {import('playwright-core').Page} tab
 * @param {string[]} parts
 */
async function lacking(tab, parts) {
  for (const until = performance.now() + 60000; ; ) {
    await settled(tab);
    const left = await tab.evaluate(missing, { parts, names: NAMES });
    if (left.length === 0 || performance.now() > until) return left;
  }
}

describe('every link opens at the moment that it names', () => {
  const browsing = inBrowser();
  const { open } = browsing;

  const named = new Map(linksIn(page).map(([, name, id]) => [`${name} ${id}`, { name, id }]));
  const of = (chapter) =>
    [...named.values()].filter(({ name }) => name.split(' › ')[0] === chapter);
  for (const chapter of [...sample(WALKS, 3), ...GUIDED]) {
    test(chapter, async () => {
      const { page: tab, complaints, close } = await open();
      const failures = [];
      const tried = sample(of(chapter), 2);
      assert.ok(tried.length > 0);
      for (const { name, id } of tried) {
        const { parts, value, gradient } = promised(name);
        await tab.goto('about:blank');
        await tab.goto(links[id].replace(BASE, browsing.site.url));
        await ready(tab);
        for (const part of await lacking(tab, parts)) failures.push(`${id}: no “${part}”`);
        const notice = await tab.locator('.notice:visible, .failure:visible').allTextContents();
        for (const told of notice) failures.push(`${id}: ${told.trim()}`);
        const shown = async (/** @type {string} */ selector) =>
          Number(await tab.locator(selector).first().getAttribute('data-value'));
        if (value) {
          const is = await shown('gf-microscope .big .number');
          if (!isNamed(is, value)) failures.push(`${id}: ${is}, not ${value}`);
        }
        if (gradient) {
          const text = await tab.locator('gf-gradient strong').first().textContent();
          if (Number(text) !== Number(gradient)) failures.push(`${id}: gradient ${text}`);
        }
      }
      assert.deepEqual(failures, []);
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});
