// Prints docs/marking.md: how simulated learners fare, and each known mistake beside what marking named.
//   node tests/exercises/confusion.js [SEEDS] [LEARNERS] > docs/marking.md
// The learners are those of the tests; SEEDS is per recipe and mistake, LEARNERS per recipe and level who work rightly.

import os from 'node:os';
import { LEVELS, RECIPES } from './setup.js';
import { mistakenLearners, rightLearners } from './simulated.js';

const [SEEDS = 1000, LEARNERS = 1340] = process.argv.slice(2).map(Number);
/** Learners at each problem. */
const AT_ONCE = 20;

const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
const count = (n) => n.toLocaleString('en');
/** A part of all, never rounded to all. */
const share = (n, of) => {
  if (n === 0 || n === of) return `${n && 100} %`;
  return n / of > 0.9999 ? 'over 99.99 %' : `${((100 * n) / of).toFixed(2)} %`;
};
const sum = (list) => list.reduce((all, x) => all + x, 0);

/** What was found of a mistake. */
const nothing = () => ({
  recipes: /** @type {Set<string>} */ (new Set()),
  learners: 0,
  named: 0,
  none: 0,
  others: /** @type {Map<string, number>} */ (new Map()),
});

/** @type {Map<string, ReturnType<typeof nothing>>} */
const rows = new Map();
const right = { learners: 0, cells: 0, refused: 0 };
const slips = { made: 0, found: 0 };

for (const recipe of RECIPES) {
  process.stderr.write(`${recipe}\n`);
  for (const { marks } of rightLearners(recipe, upTo(Math.ceil(LEARNERS / AT_ONCE)), AT_ONCE)) {
    const states = Object.values(marks.cells).map(({ state }) => state);
    right.learners += 1;
    right.cells += states.length;
    right.refused += states.filter((state) => state !== 'right').length;
  }
  for (const { mistake, named, slip } of mistakenLearners(recipe, upTo(SEEDS))) {
    const row = rows.get(mistake) ?? nothing();
    rows.set(mistake, row);
    row.recipes.add(recipe);
    row.learners += 1;
    row.named += Number(named.includes(mistake));
    row.none += Number(named.length === 0);
    for (const other of named) {
      if (other !== mistake) row.others.set(other, (row.others.get(other) ?? 0) + 1);
    }
    slips.made += Number(slip !== null);
    slips.found += Number(slip === 'found');
  }
}

const all = [...rows.values()];
const learners = sum(all.map((row) => row.learners));
const wrongly = sum(all.flatMap((row) => [...row.others.values()]));
const table = [...rows].map(([mistake, { recipes, learners, named, none, others }]) => {
  const other = [...others].map(([name, n]) => `\`${name}\` ${n}`).join(', ');
  const cells = [`\`${mistake}\``, recipes.size, count(learners), count(named), none, other || '0'];
  return `| ${cells.join(' | ')} |`;
});
const cpus = os.cpus();
const cpu = `${cpus.length}-core ${cpus[0].model.replace(/\(R\)/g, '').replace(/\s+/g, ' ').trim()}`;
const date = new Date().toISOString().slice(0, 10);

process.stdout.write(
  `# How well marking works

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
node tests/exercises/confusion.js ${SEEDS} ${LEARNERS} > docs/marking.md
\`\`\`

The first number is how many seeds of each recipe the learners with a mistake work on. The second is how many learners without a
mistake work on each recipe at each of its ${LEVELS.length} levels; it is rounded up to a multiple of ${AT_ONCE}.
`,
);
