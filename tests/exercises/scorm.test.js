// SCORM packages as files: manifests as the schemas ask for them, a page that tells no answer, and work that comes back
// as it was kept. How they run in a platform: tests/embeds/scorm.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { unmasked } from '../../bindings/learn/exercises/formats/masked.js';
import { exercise, exportQuiz, mark, worksheet } from '../../bindings/learn/exercises/index.js';
import {
  longestOf,
  MAX_CHARACTERS,
  merged,
  NO_RESULT,
  textOf,
  workOf,
} from '../../web/figures/assignment/saved.js';
import { waits } from '../support/sample.js';
import { gf, LEVELS, problemOf, RECIPES } from './setup.js';
import { unzipped } from './unzipped.js';

const TITLE = 'A "quiz" <for> {{package}} & $& </script></title>';
const ESCAPED =
  'A &quot;quiz&quot; &lt;for&gt; {{package}} &amp; $&amp; &lt;/script&gt;&lt;/title&gt;';

async function filesOf(problems, options) {
  const [{ path, data }] = await exportQuiz(gf, problems, options);
  assert.equal(path, 'exercise.zip');
  return new Map([...unzipped(data)].map(([file, bytes]) => [file, bytes.toString()]));
}

const contentIn = (page) =>
  JSON.parse(/<script type="application\/json" id="package">([\s\S]*?)<\/script>/.exec(page)[1]);
const packageIn = (page) => JSON.parse(unmasked(contentIn(page)));

for (const [format, schema, edition] of [
  ['scorm12', 'http://www.imsproject.org/xsd/imscp_rootv1p1p2', '1.2'],
  ['scorm2004', 'http://www.imsglobal.org/xsd/imscp_v1p1', '2004 3rd Edition'],
]) {
  test(`${format}: the manifest has the parts that its schema asks for, in their order`, async () => {
    const files = await filesOf([problemOf('scores')], { format, title: TITLE });
    assert.deepEqual([...files.keys()], ['imsmanifest.xml', 'index.html']);
    const manifest = files.get('imsmanifest.xml');
    const tags = [...manifest.matchAll(/<(\w+)[ >]/g)].map(([, name]) => name);
    assert.deepEqual(tags, [
      ...['manifest', 'metadata', 'schema', 'schemaversion', 'organizations', 'organization'],
      ...['title', 'item', 'title', 'resources', 'resource', 'file'],
    ]);
    assert.ok(manifest.includes(` xmlns="${schema}"`));
    assert.ok(manifest.includes(`<schemaversion>${edition}</schemaversion>`));
    const attribute = (tag, name) =>
      new RegExp(`<${tag} [^>]*?\\b${name}="([^"]*)"`).exec(manifest)?.[1];
    assert.equal(attribute('organizations', 'default'), attribute('organization', 'identifier'));
    assert.equal(attribute('item', 'identifierref'), attribute('resource', 'identifier'));
    assert.equal(attribute('resource', 'href'), 'index.html');
    assert.equal(attribute('file', 'href'), 'index.html');
    assert.equal(
      attribute('resource', format === 'scorm12' ? 'adlcp:scormtype' : 'adlcp:scormType'),
      'sco',
    );
    const names = [...manifest.matchAll(/ identifier="([^"]*)"/g)].map(([, name]) => name);
    for (const name of names) assert.match(name, /^[A-Za-z_][\w.-]*$/);
    assert.equal(new Set(names).size, names.length);
    assert.equal(manifest.split(`<title>${ESCAPED}</title>`).length, 3);
  });
}

test('the page has what is asked, no answer, and no hole left', async (t) => {
  if (waits(t)) return;
  for (const recipe of RECIPES) {
    const problems = LEVELS.map((level) => exercise(gf, recipe, { seed: 5, level }));
    const files = await filesOf(problems, { format: 'scorm12', lang: 'de', title: TITLE });
    const page = files.get('index.html');
    assert.ok(page.startsWith('<!doctype html>\n<html lang="de">'));
    assert.ok(page.includes(`<title>${ESCAPED}</title>`));
    const { title, lang, standard, problems: held } = packageIn(page);
    assert.deepEqual([title, lang, standard], [TITLE, 'de', 'scorm12']);
    for (const [i, problem] of problems.entries()) {
      assert.equal('solution' in held[i], false);
      assert.equal('misconceptions' in held[i], false);
      assert.notEqual(
        held[i].seed,
        problem.seed,
        'the playground has another problem of this seed',
      );
      const right = problem.asked.map((name) => [name, String(problem.solution[name].value)]);
      const answers = { cells: Object.fromEntries(right) };
      assert.deepEqual(mark(gf, held[i], answers), mark(gf, problem, answers));
      assert.deepEqual(worksheet(gf, held[i]), worksheet(gf, problem));
    }
  }
});

test('recipe, seed and numbers are not in clear in the file', async () => {
  const problems = [23, 24].map((seed) => exercise(gf, 'causal-attention', { seed }));
  for (const attempts of [undefined, 2]) {
    const files = await filesOf(problems, { format: 'scorm12', attempts });
    const page = files.get('index.html');
    const content = contentIn(page);
    assert.match(content, /^[A-Za-z\d+/]+=*$/);
    assert.doesNotMatch(atob(content), /causal|seed|given|recipe/);
    assert.ok(!page.includes(JSON.stringify(problems[0].given.q)));
    assert.doesNotMatch(files.get('imsmanifest.xml'), /causal/);
    const held = packageIn(page);
    assert.equal(held.attempts, attempts);
    assert.equal(JSON.stringify(held).includes('"seed":23'), false);
    assert.equal(new Set(held.problems.map(({ seed }) => seed)).size, 2);
  }
});

test('only SCORM packages are exams, handed in 1 to 99 times', async () => {
  const problem = problemOf('scores');
  for (const attempts of [0, 100, 1.5, '2'])
    await assert.rejects(exportQuiz(gf, [problem], { format: 'scorm12', attempts }), /attempts/);
  await assert.rejects(
    exportQuiz(gf, [problem], { format: 'moodle', attempts: 1 }),
    /exportQuiz: attempts: only scorm12 and scorm2004 can be an exam, received "?moodle/,
  );
});

describe('what a platform keeps', () => {
  const problems = RECIPES.map((recipe) => problemOf(recipe, { seed: 3 }));
  const sign = fc.constantFrom(...'0123456789.,-−/√∞!~%;"\\<&\u0000é𝛼 ');

  test('fits, has no percent sign, and comes back as it was', () => {
    for (const problem of problems) {
      const { length } = problem.asked;
      const longest = longestOf(problem);
      assert.ok(longest >= 24, `${problem.recipe}: ${longest} characters`);
      const answer = fc
        .string({ unit: sign, maxLength: longest })
        .map((text) => text.slice(0, longest));
      const work = fc.record({
        answers: fc.array(answer, { maxLength: length }),
        checked: fc.string({ unit: fc.constantFrom('0', '1'), maxLength: length }),
        result: fc.oneof(
          fc.constant(NO_RESULT),
          fc.record({ used: fc.nat(99), best: fc.double({ min: 0, max: 1, noNaN: true }) }),
        ),
      });
      fc.assert(
        fc.property(work, ({ answers, checked, result }) => {
          const typed = {
            answers: answers.slice(0, answers.findLastIndex(Boolean) + 1),
            checked: checked.replace(/0+$/, ''),
          };
          /* −0 and 0 are one score. */
          const { used, best } = result;
          const whole = { problem, typed, used, best: best === null ? null : best + 0 };
          const kept = textOf(whole);
          assert.ok(kept.length <= MAX_CHARACTERS, `${kept.length}`);
          assert.doesNotMatch(kept, /%/);
          for (const text of [kept, JSON.stringify(kept)]) {
            assert.deepEqual(workOf(text, problems), whole);
          }
        }),
        { numRuns: 40 },
      );
      const most = {
        answers: Array(length).fill('~'.repeat(longest)),
        checked: '1'.repeat(length),
      };
      const result = { used: 99, best: 1 / 3 };
      assert.ok(textOf({ problem, typed: most, ...result }).length <= MAX_CHARACTERS);
    }
  });

  test('is read without harm, whatever it is', () => {
    const begun = fc.tuple(fc.constantFrom('1;scores;3;', '1;', '"', '1;scores;3;1;'), fc.string());
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: sign }),
      begun.map(([a, b]) => a + b),
    );
    fc.assert(
      fc.property(fc.oneof(text, fc.anything()), (kept) => {
        const work = workOf(kept, problems);
        if (!work) return;
        assert.ok(problems.includes(work.problem));
        assert.ok(textOf(work).length <= MAX_CHARACTERS);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('two works of one problem', () => {
  const problem = problemOf('softmax-row', { seed: 3 });
  const work = (answers, checked, used, best) => ({
    problem,
    typed: { answers, checked },
    used,
    best,
  });

  test('the better score counts, whichever is older', () => {
    const [old, late] = [work(['1'], '1', 0, 0.2), work(['1', '2'], '11', 0, 1)];
    for (const pair of [
      [old, late],
      [late, old],
    ])
      assert.equal(merged(...pair, null).best, 1);
    assert.equal(merged(work([], '', 0, null), old, null).best, 0.2);
    assert.equal(merged(work([], '', 0, null), work([], '', 0, null), null).best, null);
  });

  test('what was handed in stands, and no older window gives the attempt back', () => {
    const handed = work(['1', '2', '3'], '111', 1, 0.5);
    const stale = work(['7', '8'], '', 0, null);
    for (const pair of [
      [handed, stale],
      [stale, handed],
    ])
      assert.deepEqual(merged(...pair, null), handed);
  });
});
