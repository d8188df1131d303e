// The worked solution in LaTeX: its numbers are the core's, its words cannot do harm, its form is sound.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples, explain, sentence, traceExample } from '../../bindings/index.js';
import { stagesOf } from '../../web/app/state/timeline.js';
import { latex } from '../../web/stage/export/latex.js';
import { gf, states } from './states.js';

const write = (trace) => {
  const example = { ...trace.example, tokens: trace.example.tokens ?? [] };
  const tell = (run, { node, index }) => explain(run, node, index, gf);
  return latex({ trace, example, stages: stagesOf(trace.steps), explain: tell });
};

const all = states(2).map(({ where, trace }) => ({ where, trace, text: write(trace) }));

const read = (text) =>
  Number(
    text
      .replace('\\infty', 'Infinity')
      .replace('\\mathrm{NaN}', 'NaN')
      .replace(/ *\\cdot 10\^\{(.+)\}/, 'e$1'),
  );

/** Whether two numbers are the same up to a few roundings to float32. */
/** To 22 bits; below the normal numbers of float32, to a unit of theirs. */
const isSame = (a, b) =>
  Object.is(a, b) || Math.abs(a - b) <= Math.max(2 ** -22 * Math.abs(b), 2 ** -149);

/** Every matrix in the text, in order: rows of numbers, dots left out. */
const matricesIn = (text) =>
  [...text.matchAll(/\\begin\{pmatrix\}\n([\s\S]*?)\n\\end\{pmatrix\}/g)].map(([, body]) =>
    body
      .split('\\\\')
      .map((row) => row.split('&').map((cell) => cell.trim()))
      .map((row) => row.filter((cell) => !/dots/.test(cell)))
      .filter((row) => row.length > 0),
  );

test('every matrix is there, with the numbers of the core', () => {
  for (const { where, trace, text } of all) {
    const found = matricesIn(text);
    let at = 0;
    /* What is given comes first. */
    const used = new Set(trace.steps.flatMap(({ inputs }) => inputs));
    const leaves = trace.steps.filter(({ name, kind }) => kind !== 'op' && used.has(name));
    const ops = trace.steps.filter(({ kind }) => kind === 'op');
    for (const { name, shape, data, kind } of [...leaves, ...ops]) {
      const column = kind === 'ids' && shape.length === 1;
      const [rows, columns] = column ? [shape[0], 1] : [1, 1, ...shape].slice(-2);
      const count = data.length / rows / columns;
      for (let head = 0; head < count; head++) {
        const matrix = found[at++];
        const shown = (size) => (size <= 12 ? size : 11);
        assert.equal(matrix.length, shown(rows), `${where} ${name}`);
        matrix.forEach((row, i) => {
          assert.equal(row.length, shown(columns), `${where} ${name}`);
          const from = (place, size) => (size > 12 && place === 10 ? size - 1 : place);
          row.forEach((cell, j) => {
            const flat = (head * rows + from(i, rows)) * columns + from(j, columns);
            const same = isSame(read(cell), data[flat]);
            assert.ok(same, `${where} ${name}[${flat}]: ${cell} instead of ${data[flat]}`);
          });
        });
      }
    }
    assert.equal(at, found.length, where);
  }
});

test('each worked cell ends in its number', () => {
  for (const { where, trace, text } of all) {
    const aligned = [...text.matchAll(/\\begin\{align\*\}\n([\s\S]*?)\n\\end\{align\*\}/g)];
    const ops = trace.steps.filter(({ kind, frozen }) => kind === 'op' && !frozen);
    assert.equal(aligned.length, ops.length, where);
    aligned.forEach(([, body], k) => {
      const { name, data, shape } = ops[k];
      const cells = body.split('\\\\[4pt]');
      const count = data.length <= 48 ? data.length : Math.min(48, shape.at(-1));
      assert.equal(cells.length, count, `${where} ${name}`);
      cells.forEach((cell, at) => {
        const value = read(
          cell
            .split(/&(?:=|\\approx) /)
            .at(-1)
            .trim(),
        );
        const same = isSame(value, data[at]);
        assert.ok(same, `${where} ${name}[${at}]: ${value} instead of ${data[at]}`);
      });
    });
  }
});

/** What lies between the outermost braces that a text opens must be closed again. */
function balanced(text) {
  let depth = 0;
  for (const [mark] of text.replace(/\\[\\{}]/g, '').matchAll(/[{}]/g)) {
    depth += mark === '{' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

test('braces and environments are closed', () => {
  for (const { where, text } of all) {
    assert.ok(balanced(text.replace(/^ *%.*$/gm, '')), where);
    const open = [];
    for (const [, what, name] of text.matchAll(/\\(begin|end)\{([\w*]+)\}/g)) {
      if (what === 'begin') open.push(name);
      else assert.equal(open.pop(), name, where);
    }
    assert.deepEqual(open, []);
    assert.ok(!/undefined|(?<!\{)NaN|\[object/.test(text), where);
  }
});

test('a sentence cannot write TeX', () => {
  const trace = traceExample(gf, sentence('\\input{x} 50% $a$ #1 a_b ~^&'));
  const text = write(trace);
  const body = text.replace(/^ *%.*$/gm, '');
  assert.ok(
    body.includes('\\title{\\textbackslash{} input \\{ x \\} 50 \\% \\$ a \\$ \\# 1 a \\_ b'),
  );
  assert.doesNotMatch(body, /\\input/);
  assert.ok(balanced(body));
});

/** What numbers in TeX amount to; null where they are more than arithmetic. @param {string} tex */
function amountOf(tex) {
  const code = tex
    .replace(/\\\\\s*&\\quad/g, '')
    .replace(/ *\\cdot 10\^\{([-\d]+)\}/g, 'e$1')
    .replaceAll('\\cdot', '*')
    .replace(/\\frac\{([^{}]*)\}\{([^{}]*)\}/g, '(($1)/($2))')
    .replace(/\\sqrt\{([^{}]*)\}/g, 'Math.sqrt($1)')
    .replace(/- -/g, '+ ');
  return /^(?:[-+*/()\d.e ]|Math\.sqrt)+$/.test(code) ? new Function(`return ${code}`)() : null;
}

test('= stands where an equation is exact in the digits that are written, and only there', () => {
  const counts = { '=': 0, '\\approx': 0 };
  for (const { where, text } of all) {
    for (const [, body] of text.matchAll(/\\begin\{align\*\}\n([\s\S]*?)\n\\end\{align\*\}/g)) {
      for (const cell of body.split('\\\\[4pt]')) {
        const rows = cell.split(/ \\\\\n {4}(?=&(?:=|\\approx))/);
        const [left, right] = rows.slice(-2).map((row) => row.replace(/^&(?:=|\\approx) /, ''));
        const [sign] = /=|\\approx/.exec(rows.at(-1));
        const [a, b] = [amountOf(left), amountOf(right)];
        if (rows.length < 3 || a === null || b === null || !Number.isFinite(a)) continue;
        assert.equal(sign === '=', Math.abs(a - b) <= 1e-9 * Math.abs(b), `${where}: ${cell}`);
        counts[sign] += 1;
      }
    }
  }
  assert.ok(counts['='] > 100 && counts['\\approx'] > 100, JSON.stringify(counts));
});

test('no number is longer only because of float32', () => {
  for (const { where, text } of all.filter((one) => one.where in examples)) {
    for (const [number] of text.matchAll(/\d+\.\d*(?:00000|99999)\d?/g)) {
      assert.fail(`${where}: ${number}`);
    }
  }
});

test('a softmax says that the largest number of its row was subtracted, with the number', () => {
  let told = 0;
  for (const { where, trace, text } of all) {
    for (const step of trace.steps.filter(
      ({ op, bypassed }) => op === 'softmax' && bypassed === null,
    )) {
      const [scores] = step.inputs.map((name) => trace.step(name));
      const max = Math.max(...scores.data.slice(0, scores.shape.at(-1)));
      if (step.frozen || !max || !Number.isFinite(max)) continue;
      const numbers = [...text.matchAll(/e\^\{[^ ]* - \(?(-?[\d.]+)\)?\}/g)].map(([, x]) =>
        Number(x),
      );
      assert.ok(
        numbers.some((x) => isSame(x, max)),
        `${where} ${step.name}: ${max}`,
      );
      told++;
    }
  }
  assert.ok(told > 20, `${told}`);
});

test('the pencil: the score of "love" for "I"', () => {
  const { text } = all.find(({ where }) => where === 'i-love-robotics');
  const lines = [
    's_{2,1} &= q_{2,1} k_{1,1} + q_{2,2} k_{1,2} + q_{2,3} k_{1,3} \\\\',
    '    &= 1 \\cdot 2 + 1 \\cdot 1 + 1 \\cdot 1 \\\\',
    '    &= 4 \\\\[4pt]',
  ];
  assert.ok(text.includes(lines.join('\n')));
  assert.ok(text.includes("S' = \\frac{S}{\\sqrt{d_{k}}}"));
});
