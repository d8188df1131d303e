// An exercise in a book that speaks SPLICE (Runestone, PreTeXt, OpenDSA, Doenet), and in frames that say nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkAll,
  field,
  headOf,
  hosted,
  keeper,
  PLATFORM_KEEPS,
  problemsOf,
  rightOf,
  type,
  typed,
  unpacked,
} from '../package.js';

const [problem] = problemsOf('scores', [4]);
const answers = rightOf(problem);
const files = await unpacked([problem]);
const heard = async (page, subject) =>
  (await page.evaluate('heard')).filter((message) => message.subject === subject);

test('a book hears of a check, and gives the work back', async (context) => {
  const { visit } = await hosted(context, 'splice', files);
  const { page, frame, complaints } = await visit('?state=null');
  await field(frame, 0).waitFor();
  assert.equal(await keeper(frame), PLATFORM_KEEPS);
  await type(frame, answers.slice(0, 3));
  assert.deepEqual(await heard(page, 'SPLICE.reportScoreAndState'), []);
  await checkAll(frame);
  await frame.getByText(/3 points so far/).waitFor();
  const [report, ...more] = await heard(page, 'SPLICE.reportScoreAndState');
  assert.equal(more.length, 0);
  assert.ok(Math.abs(report.score - 3 / 9) < 1e-12);
  const [question] = await heard(page, 'SPLICE.getState');
  assert.equal(question.activity_id, report.activity_id);
  const [event] = await heard(page, 'SPLICE.sendEvent');
  assert.equal(event.name, 'checked');
  assert.equal(event.data.points, 3);
  const [{ statement }] = (await page.evaluate('heard')).filter(({ action }) => action === 'xAPI');
  assert.equal(statement.verb.id, 'http://adlnet.gov/expapi/verbs/scored');
  assert.deepEqual(statement.result.score, { scaled: 3 / 9, raw: 3, min: 0, max: 9 });
  assert.equal(statement.result.completion, false, 'six cells are empty');
  assert.deepEqual(complaints, []);

  /* As Runestone keeps it, and as it came. */
  for (const state of [JSON.stringify(report.state), report.state]) {
    const again = await visit(`?state=${encodeURIComponent(state)}`);
    await again.frame.getByText(/3 points so far/).waitFor();
    assert.deepEqual(await typed(again.frame, 4), [...answers.slice(0, 3), '']);
    assert.deepEqual(await heard(again.page, 'SPLICE.reportScoreAndState'), []);
    await again.close();
  }
});

test('the frame is as high as the exercise, and no higher each time', async (context) => {
  const { visit } = await hosted(context, 'splice', files);
  const { page, frame } = await visit();
  await field(frame, 0).waitFor();
  const fits = () =>
    page.waitForFunction(() => {
      const { clientHeight, contentDocument } = document.querySelector('iframe');
      return Math.abs(clientHeight - contentDocument.documentElement.offsetHeight) <= 1;
    });
  for (const width of [1600, 700, 375, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    await fits();
  }
  assert.ok((await heard(page, 'lti.frameResize')).length < 20);
});

test('who never answers is not waited for, and who answers late takes nothing away', async (context) => {
  const { visit } = await hosted(context, 'splice', files);
  const { page, frame, complaints } = await visit('?mute');
  await type(frame, ['5', '6']);
  assert.equal(await keeper(frame), 'This tab saves your work until you close it.');
  await page.evaluate(`answer({ state: ${JSON.stringify(`${headOf(files)};;7~7~7`)} })`);
  await frame.getByText(PLATFORM_KEEPS).waitFor();
  assert.deepEqual(await typed(frame, 3), ['5', '6', '7']);
  await page.reload();
  assert.deepEqual(await typed(frame, 3), ['5', '6', '7'], 'the tab remembers');
  assert.deepEqual(complaints, []);
});

test('an answer to somebody else, an error and nonsense are no work', async (context) => {
  const { visit } = await hosted(context, 'splice', files);
  const { page, frame, complaints } = await visit('?mute');
  await field(frame, 0).waitFor();
  const state = `${headOf(files)};;7~7~7`;
  for (const wrong of [
    { state, message_id: 'other' },
    { state, error: { code: 'timeout' } },
    { state: { length: 1 } },
    { state: 'x'.repeat(1e6) },
    { state: null },
  ]) {
    await page.evaluate(`answer(${JSON.stringify(wrong)})`);
  }
  await page.evaluate(() => {
    const frame = document.querySelector('iframe').contentWindow;
    for (const odd of [
      null,
      0,
      'text',
      '{',
      '{"method":7}',
      '{"method":"JSInput::toString","id":1}',
      [],
    ]) {
      frame.postMessage(odd, '*');
    }
  });
  await frame.getByText(PLATFORM_KEEPS).waitFor();
  assert.deepEqual(await typed(frame, 3), ['', '', '']);
  await page.evaluate(`answer(${JSON.stringify({ state })})`);
  await frame.locator('.strip small', { hasText: '3/9' }).waitFor();
  assert.deepEqual(await typed(frame, 3), ['7', '7', '7']);
  assert.deepEqual(complaints, []);
});

test('a sandboxed frame without storage says that nothing is kept, and works', async (context) => {
  const { visit } = await hosted(context, 'splice', files);
  const { frame, complaints } = await visit('?mute&sandbox');
  await field(frame, 0).waitFor();
  assert.match(await keeper(frame), /^Nothing saves your work here/);
  await type(frame, answers);
  await checkAll(frame);
  await frame.getByText('Done: 9 of 9 points').waitFor();
  assert.deepEqual(complaints, []);
});
