// Prints docs/marking.md: how simulated learners fare, and each known mistake beside what marking named.
//   node tests/exercises/confusion.js [SEEDS] [LEARNERS] [SHEETS] > docs/marking.md
// The learners are those of the tests; SEEDS is per recipe and mistake, LEARNERS per recipe and level who work rightly, SHEETS per
// recipe, level and kind of cheater.

import { once } from 'node:events';
import os from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { LEARNERS as SHEETS_OF, sheetsOf } from './cheaters.js';
import { LEVELS, problemOf, RECIPES } from './setup.js';
import { mistakenLearners, rightLearners } from './simulated.js';

const [SEEDS = 1000, LEARNERS = 1340, SHEETS = 100] = process.argv.slice(2).map(Number);
/** Learners at each problem. */
const AT_ONCE = 20;

const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
const count = (n) => n.toLocaleString('en');
/** A part of all, never rounded to all. */
const share = (n, of) => {
  if (n === 0 || n === of) return `${n && 100} %`;
  return n / of > 0.9999 ? 'over 99.99 %' : `${((100 * n) / of).toFixed(2)} %`;
};
/** The sums of numbers by name. @template {Record<string, number>} T @param {T[]} list @returns {T} */
const added = (list) =>
  /** @type {any} */ (
    Object.fromEntries(Object.keys(list[0]).map((key) => [key, sum(list.map((one) => one[key]))]))
  );
const sum = (list) => list.reduce((all, x) => all + x, 0);

/** What was found of a mistake. */
const nothing = () => ({
  learners: 0,
  named: 0,
  none: 0,
  others: /** @type {Map<string, number>} */ (new Map()),
});

/** What is measured of one recipe. @param {string} recipe */
function measured(recipe) {
  const right = { learners: 0, cells: 0, refused: 0 };
  const slips = { made: 0, found: 0 };
  /** @type {Map<string, ReturnType<typeof nothing>>} */
  const rows = new Map();
  for (const { marks } of rightLearners(recipe, upTo(Math.ceil(LEARNERS / AT_ONCE)), AT_ONCE)) {
    const states = Object.values(marks.cells).map(({ state }) => state);
    right.learners += 1;
    right.cells += states.length;
    right.refused += states.filter((state) => state !== 'right').length;
  }
  for (const { mistake, named, slip } of mistakenLearners(recipe, upTo(SEEDS))) {
    const row = rows.get(mistake) ?? nothing();
    rows.set(mistake, row);
    row.learners += 1;
    row.named += Number(named.includes(mistake));
    row.none += Number(named.length === 0);
    for (const other of named) {
      if (other !== mistake) row.others.set(other, (row.others.get(other) ?? 0) + 1);
    }
    slips.made += Number(slip !== null);
    slips.found += Number(slip === 'found');
  }
  const sheets = sheetsOf(upTo(SHEETS), { recipes: [recipe] });
  const parts = Array.from(sheets, ({ name, part }) => ({ name, part }));
  return { right, slips, rows, parts };
}

/** Measures every recipe, as many at once as there are processors.
 * @returns {Promise<ReturnType<typeof measured>[]>} */
async function measuredAll() {
  /** @type {ReturnType<typeof measured>[]} */
  const results = [];
  let next = 0;
  const workers = Array.from({ length: os.availableParallelism() }, async () => {
    const worker = new Worker(new URL(import.meta.url), { argv: [SEEDS, LEARNERS, SHEETS] });
    while (next < RECIPES.length) {
      const index = next++;
      worker.postMessage(RECIPES[index]);
      [results[index]] = await once(worker, 'message');
      process.stderr.write(`${RECIPES[index]}\n`);
    }
    await worker.terminate();
  });
  await Promise.all(workers);
  return results;
}

if (!isMainThread) {
  parentPort?.on('message', (recipe) => parentPort?.postMessage(measured(recipe)));
} else {
  print(await measuredAll());
}

/** Writes the page. @param {ReturnType<typeof measured>[]} results of each recipe */
function print(results) {
  /** @type {Map<string, ReturnType<typeof nothing> & { recipes: number }>} */
  const rows = new Map();
  for (const [mistake, row] of results.flatMap((one) => [...one.rows])) {
    const all = rows.get(mistake) ?? { ...nothing(), recipes: 0 };
    rows.set(mistake, all);
    all.recipes += 1;
    for (const key of /** @type {const} */ (['learners', 'named', 'none'])) all[key] += row[key];
    for (const [other, n] of row.others) all.others.set(other, (all.others.get(other) ?? 0) + n);
  }
  const right = added(results.map((one) => one.right));
  const slips = added(results.map((one) => one.slips));

  /** What each kind of sheet earns. */
  const percent = (/** @type {number} */ part) =>
    `${part < 1 ? Math.min(99, Math.round(100 * part)) : 100} %`;
  const earned = Object.keys(SHEETS_OF).map((name) => {
    const parts = results
      .flatMap((one) => one.parts)
      .flatMap((one) => (one.name === name ? [one.part] : []));
    const cells = [name, count(parts.length), percent(sum(parts) / parts.length)];
    return `| ${[...cells, percent(Math.min(...parts)), percent(Math.max(...parts))].join(' | ')} |`;
  });

  /** What the steps of each recipe with several are worth. */
  const worth = RECIPES.flatMap((recipe) => {
    const steps = Object.entries(problemOf(recipe, { seed: 1 }).points);
    const list = steps.map(([step, points]) => `\`${step}\` ${points}`).join(', ');
    return steps.length > 1 ? [`| \`${recipe}\` | ${list} |`] : [];
  });

  const all = [...rows.values()];
  const learners = sum(all.map((row) => row.learners));
  const wrongly = sum(all.flatMap((row) => [...row.others.values()]));
  const table = [...rows].map(([mistake, { recipes, learners, named, none, others }]) => {
    const other = [...others].map(([name, n]) => `\`${name}\` ${n}`).join(', ');
    const cells = [`\`${mistake}\``, recipes, count(learners), count(named), none, other || '0'];
    return `| ${cells.join(' | ')} |`;
  });
  const cpus = os.cpus();
  const cpu = `${cpus.length}-core ${cpus[0].model.replace(/\(R\)/g, '').replace(/\s+/g, ' ').trim()}`;
  const date = new Date().toISOString().slice(0, 10);

  process.stdout.write(
    `# How marking works

## What a sheet is worth

- Each step has points, and its cells are equal parts of them. The idea of an exercise weighs most. A step that is asked alone
  has one point per cell. \`glassformer quiz RECIPE --points scores=2,weights=5\` sets other points.
- What needs no arithmetic has no points: masked scores, a weight of 0 or 1 that the mask gives, and the row of V that such weights
  copy. Where it is wrong or empty, it counts as one cell more.
- A right number earns its part. So does a number that follows from a slip of the learner: one slip costs one cell. A given number
  that was misread is a slip, too: it costs the first cell that shows it. Where that is the only wrong cell of its step, it is
  misread if a step behind has the same misread number.
- A step is wrong if it was done with a known mistake throughout, or if half of its cells or more are wrong, two at least, and no
  given number that was misread explains them. What is behind a wrong step earns half, whether it follows from the learner's
  numbers or is right in itself and does not follow. \`--follow full\` or \`none\` changes this. A number that is right and follows,
  too, earns its part.
- From a wrong step numbers are carried on if something shows where they come from: a known mistake or one and the same slip makes
  all of them, at least half of those that need arithmetic are right or follow, or the steps before, from which they are computed,
  are not wrong. Otherwise it is unknown where they come from, but what was computed from them earns half, as far as it shows:
  at least two different numbers of a step, and half of what is wrong in it, follow. They could be a neighbour's. So marking must
  know the variants of the others, or one such step must read numbers that neighbours do not have: given ones, or those of a
  step that is right. Behind stock answers, or 0 and 1 alone, what follows earns nothing, and the sentence says so.
- A known mistake in some rows costs these rows. A step that was done with it throughout, so that no row contradicts it, earns
  nothing, even where the mistake changes no number. The same mistake in a later step counts as following. If the step in which it
  is made was left empty, it is charged there.
- Stock answers earn nothing: most of a step is wrong, and it has one number throughout, or in each row, unless a known mistake
  makes that. Nothing is carried on from them. A sheet that has one number throughout each step, or nothing but −∞, earns nothing,
  even where a cell of it is right.
- A number that is rounded too early, rounded down (0.66 for 2/3), or written in too few digits, earns half. A 0 has as few digits
  as the rest of its row. Where bands are wide enough, as behind a softmax, a number that is rounded down is right.
- Answers are called another variant's only if these are most of the numbers in which the two differ, more than what their own
  explain, and at least eight different ones beside 0 and 1; three, if every such number of the sheet is. Then the sheet, or some
  steps behind own ones, earn what fits their own numbers alone. Marking finds this only if it has the problems of the whole
  hand-out: a list for \`glassformer mark\`, \`variants\` for \`mark()\`, the file of a PrairieLearn question. Fewer numbers of another
  variant are not accused: they earn what fits.

| exercise | points of its steps |
| --- | --- |
${worth.join('\n')}

## How a number is judged

- **Right.** The policy of the sheet says how to round in each step. A band around each number has room for these roundings,
  carried on by the gradients. A right answer is never refused. Numbers that count have no band.
- **Read.** \`4/3\`, \`1,33\`, \`40 %\` and \`2/√2\` are numbers. Where numbers count, \`1,480\`, \`1.480\` and \`1 480\` are 1480. In a
  masked step \`-1e9\` is −∞. The page shows what it read before it marks.
- **Follows.** Each step is computed again from the learner's numbers before it, with a band of its own, and from a given number
  as it was misread: one number that, read as another, gives every number of the step. Of steps that are computed by no tape, no
  number counts as misread: sizes that are counted with, positions, the rate of dropout, the share of label smoothing, the number
  of a step of Adam. Whoever misreads one of these loses every cell that reads it.
- **A known mistake** has to explain whole rows, to the roundings of its own way. One wrong cell among others is looked at as a
  slip first, and too few digits before any mistake. Numbers that are given are never the mistake, nor is an earlier step that
  stands right.
- **The band is that of the right number**, also where the learner's own numbers before it are written down: an output may be off
  by what rounding in every step can do, even if it is further from what these very weights give.
- **Rounded too early** is said only where a step that is not asked, rounded to one digit less, gives the number.

JavaScript and the Python package give the same marks, and so does the question for PrairieLearn.

## What sheets earn

Each row has one sheet for each exercise, level and seed that has room for it. Where two numbers alone are asked, and one of them is
0 within its band, zeros earn half.

| the learner | sheets | on average | least | most |
| --- | --- | --- | --- | --- |
${earned.join('\n')}

## How well marking works

Simulated learners work each exercise with pencil and paper: a separate float64 program writes their answers. They round in each
step or at the end, to two to six digits, in decimals or fractions, in either order. Marking sees only their answers.

| | |
| --- | --- |
| learners without a mistake | ${count(right.learners)}, with ${count(right.cells)} cells |
| of their cells, marked as wrong | ${count(right.refused)} |
| learners with one known mistake | ${count(learners)} |
| the mistake is named | ${share(sum(all.map((row) => row.named)), learners)} |
| another mistake is named | ${share(wrongly, learners)} |
| one of these, and one miscalculated cell | ${count(slips.made)}, found in ${share(slips.found, slips.made)} |

Each row is a mistake that learners made; the columns count the learners for whom marking named it, named nothing, or named another
mistake. Marking can name two mistakes for one learner. The table has every mistake that it knows by name.

| mistake | recipes | learners | named rightly | none named | another named |
| --- | --- | --- | --- | --- | --- |
${table.join('\n')}

Measured on ${date} with Node ${process.versions.node} on a ${cpu}. This command writes the page:

\`\`\`text
node tests/exercises/confusion.js ${SEEDS} ${LEARNERS} ${SHEETS} > docs/marking.md
\`\`\`

The first number is how many seeds of each recipe the learners with a mistake work on. The second is how many learners without a
mistake work on each recipe at each of its ${LEVELS.length} levels; it is rounded up to a multiple of ${AT_ONCE}. The third is how many seeds of each
recipe and level have the sheets of the first table.
`,
  );
}
