// An exercise as a JSInput problem of Open edX, in a frame of the same origin and of another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, hosted, keeper, problemsOf, rightOf, type, typed, unpacked } from '../package.js';

const [problem] = problemsOf('scores', [4]);
const answers = rightOf(problem);
const files = await unpacked([problem]);

for (const [way, query] of [
  ['of the same origin', ''],
  ['of another origin, by jschannel', '&channel'],
]) {
  test(`the button of a problem checks all and keeps the work, in a frame ${way}`, async (context) => {
    const { visit } = await hosted(context, 'openedx', files);
    const { page, frame, complaints } = await visit(`?new${query}`);
    await type(frame, answers.slice(0, 4));
    /* Still being typed when the button is pressed; a percent sign would harm what edX decodes. */
    await field(frame, 4).pressSequentially('5%20');
    const stored = await page.evaluate('submit()');
    const { answer, state } = JSON.parse(stored);
    assert.deepEqual(JSON.parse(answer), { score: 4 / 9, points: 4, max: 9 });
    assert.doesNotMatch(state, /%/);
    await frame.getByText('Done: 4 of 9 points').waitFor();
    assert.equal(
      await keeper(frame),
      'Your learning platform saves your work. Check as often as you like: the best mark counts. Cells that you never checked count as empty.',
    );
    assert.deepEqual(complaints, []);

    const again = await visit(`?stored=${encodeURIComponent(stored)}${query}`);
    await again.frame.getByText('Done: 4 of 9 points').waitFor();
    assert.deepEqual(await typed(again.frame, 6), [...answers.slice(0, 4), '5%20', '']);
    assert.deepEqual(again.complaints, []);
  });
}
