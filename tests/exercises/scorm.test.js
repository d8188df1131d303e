// SCORM packages as files: manifests as the schemas ask for them, a page that tells no answer, and work that comes back
// as it was kept. How they run in a platform: tests/embeds/scorm.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { exercise, exportQuiz, mark, worksheet } from '../../bindings/learn/exercises/index.js';
import { longestOf, MAX_CHARACTERS, textOf, workOf } from '../../web/figures/assignment/saved.js';
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

const packageIn = (page) =>
  JSON.parse(/<script type="application\/json" id="package">([\s\S]*?)<\/script>/.exec(page)[1]);

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
      const right = problem.asked.map((name) => [name, String(problem.solution[name].value)]);
      const answers = { cells: Object.fromEntries(right) };
      assert.deepEqual(mark(gf, held[i], answers), mark(gf, problem, answers));
      assert.deepEqual(worksheet(gf, held[i]), worksheet(gf, problem));
    }
  }
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
      });
      fc.assert(
        fc.property(work, ({ answers, checked }) => {
          const typed = {
            answers: answers.slice(0, answers.findLastIndex(Boolean) + 1),
            checked: checked.replace(/0+$/, ''),
          };
          const kept = textOf({ problem, typed });
          assert.ok(kept.length <= MAX_CHARACTERS, `${kept.length}`);
          assert.doesNotMatch(kept, /%/);
          for (const text of [kept, JSON.stringify(kept)]) {
            assert.deepEqual(workOf(text, problems), { problem, typed });
          }
        }),
        { numRuns: 40 },
      );
      const most = {
        answers: Array(length).fill('~'.repeat(longest)),
        checked: '1'.repeat(length),
      };
      assert.ok(textOf({ problem, typed: most }).length <= MAX_CHARACTERS);
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
