// A package in a learning platform, whose side of SCORM is scorm-again's.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sample, waits } from '../../support/sample.js';
import {
  checkAll,
  field,
  hosted,
  keeper,
  PLATFORM_KEEPS,
  problemsOf,
  rightOf,
  score,
  type,
  typed,
  unpacked,
} from '../package.js';

const VERSIONS = {
  scorm12: {
    status: 'cmi.core.lesson_status',
    raw: 'cmi.core.score.raw',
    session: 'cmi.core.session_time',
    end: 'Finish',
    of: ({ cmi }) => ({
      status: cmi.core.lesson_status,
      raw: cmi.core.score.raw,
      exit: cmi.core.exit,
    }),
    duration: /^\d{4}:\d\d:\d\d$/,
    timestamp: /^\d\d:\d\d:\d\d$/,
    type: 'fill-in',
  },
  scorm2004: {
    status: 'cmi.completion_status',
    raw: 'cmi.score.raw',
    session: 'cmi.session_time',
    end: 'Terminate',
    of: ({ cmi }) => ({
      status: cmi.completion_status,
      raw: cmi.score.raw,
      exit: cmi.exit,
    }),
    duration: /^PT\d+H\d+M\d+S$/,
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
    type: 'other',
  },
};

/** Whether the platform refused a call; to ask for what was never set is fair. */
const isRefused = ({ name, error }) =>
  !['0', ...(name === 'GetValue' ? ['403'] : [])].includes(String(error));

/** A learner's visits to a package, one after the other: each finds what the platform kept of the last one. */
async function attempts(context, version, problems) {
  const files = await unpacked(problems, { format: version });
  const host = await hosted(context, 'scorm', files);
  let kept = '';
  const visit = async (more = '', options) => {
    host.site.pages.set(`${host.at}kept.js`, `globalThis.kept = ${kept || null};`);
    const opened = await host.visit(`?version=${version}${more}`, options);
    await field(opened.frame, 0).waitFor();
    const calls = () => opened.page.evaluate('calls');
    const sent = async (element) =>
      (await calls()).filter(({ name, given }) => name === 'SetValue' && given[0] === element);
    /** Leaves, and lets the platform keep what it was sent. */
    const leave = async () => {
      const arrived = host.site.reported();
      const made = await opened.page.evaluate(() => {
        document.querySelector('iframe').remove();
        return calls;
      });
      await arrived;
      const { cmi } = JSON.parse(host.site.reports.at(-1));
      kept = JSON.stringify(cmi);
      await opened.close();
      return { calls: made, cmi, refused: made.filter(isRefused) };
    };
    return { ...opened, calls, sent, leave };
  };
  return {
    ...host,
    visit,
    keep: (cmi) => {
      kept = JSON.stringify(cmi);
    },
  };
}

for (const [version, { status, raw, session, end, of, duration, timestamp, type: kind }] of sample(
  Object.entries(VERSIONS),
  1,
)) {
  describe(version, () => {
    test('a learner answers, leaves, comes back, and ends: nothing is lost, and nothing is told too early', async (context) => {
      const [problem] = problemsOf('scores', [4]);
      const answers = rightOf(problem);
      const { visit } = await attempts(context, version, [problem]);

      const first = await visit();
      assert.equal(await keeper(first.frame), PLATFORM_KEEPS);
      assert.deepEqual(await first.sent(raw), [], 'a page that was only opened has no score');
      await type(first.frame, answers.slice(0, 4));
      assert.deepEqual(await first.sent(raw), [], 'nor has one that was not checked');
      await field(first.frame, 0).press('Control+Enter');
      await first.frame.getByText('1 of 9 cells checked').waitFor();
      await field(first.frame, 4).fill('99');
      const left = await first.leave();
      assert.deepEqual(left.refused, []);
      const names = left.calls.map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => name === end || name === 'Initialize'),
        ['Initialize', end],
      );
      assert.equal(names.at(-1), end, 'nothing comes after the end');
      const half = of(left);
      assert.equal(half.status, 'incomplete');
      assert.equal(half.exit, 'suspend');
      assert.equal(Number(half.raw), 11.11);
      const [spent] = left.calls.filter(({ given }) => given[0] === session);
      assert.match(spent.given[1], duration);

      const second = await visit();
      assert.deepEqual(
        await typed(second.frame, 9),
        [...answers.slice(0, 4), '99', '', '', '', ''],
        'what was typed last, too',
      );
      assert.match(await score(second.frame), /^1 of 9/);
      assert.deepEqual(await second.sent(raw), []);
      await type(second.frame, answers);
      await checkAll(second.frame);
      await second.frame.getByText('Done: 9 of 9 points').waitFor();
      assert.deepEqual(
        (await second.sent(status)).map(({ given }) => given[1]),
        ['completed'],
        'complete at once: a page that is killed says nothing',
      );
      const done = await second.leave();
      assert.deepEqual(done.refused, []);
      assert.equal(of(done).status, 'completed');
      assert.equal(Number(of(done).raw), 100);

      const third = await visit();
      assert.deepEqual(await typed(third.frame, 9), answers);
      assert.deepEqual(await third.sent(status), [], 'what is complete stays so');
      assert.deepEqual(third.complaints, []);
    });

    test('each checked answer is an interaction, once', async (context) => {
      const [problem] = problemsOf('scores', [4]);
      const answers = rightOf(problem);
      const { visit } = await attempts(context, version, [problem]);
      const one = await visit();
      await type(one.frame, [answers[0], '1/0', answers[2]]);
      await checkAll(one.frame);
      await one.frame.getByText('Done').waitFor();
      await checkAll(one.frame);
      const { calls, ...left } = await one.leave();
      assert.equal(of(left).status, 'incomplete', 'six cells are empty');
      const told = calls.filter(
        ({ name, given }) => name === 'SetValue' && /interactions/.test(given[0]),
      );
      const parts = (part) =>
        told.filter(({ given }) => given[0].endsWith(`.${part}`)).map(({ given }) => given[1]);
      assert.deepEqual(parts('id'), ['scores_0_0', 'scores_0_1', 'scores_0_2']);
      assert.deepEqual(parts('type'), [kind, kind, kind]);
      assert.deepEqual(parts(version === 'scorm12' ? 'student_response' : 'learner_response'), [
        answers[0],
        '1/0',
        answers[2],
      ]);
      assert.deepEqual(parts('result'), [
        'correct',
        version === 'scorm12' ? 'wrong' : 'incorrect',
        'correct',
      ]);
      for (const time of parts(version === 'scorm12' ? 'time' : 'timestamp'))
        assert.match(time, timestamp);
      assert.deepEqual(told.filter(isRefused), []);
    });

    test('63 cells as long as they may be fit, and come back', async (context) => {
      if (waits(context)) return;
      const [problem] = problemsOf('attention', [4]);
      const { visit } = await attempts(context, version, [problem]);
      const one = await visit();
      assert.equal(problem.asked.length, 63);
      const longest = Number(await field(one.frame, 0).getAttribute('maxlength'));
      const answers = problem.asked.map((_, at) =>
        '!~%√'.repeat(longest).slice(at % 4, (at % 4) + longest),
      );
      await one.frame.locator('gf-chapter-exercises').evaluate((_, all) => {
        for (const [place, answer] of all.entries()) {
          const input = document.querySelector(`input[data-place="${place}"]`);
          input.value = answer;
          input.dispatchEvent(new Event('change'));
        }
      }, answers);
      await checkAll(one.frame);
      await one.frame.getByText('Done: 0 of 11 points').waitFor();
      const { cmi, refused } = await one.leave();
      assert.ok(longest >= 24, `${longest} characters`);
      assert.ok(
        cmi.suspend_data.length > 3000 && cmi.suspend_data.length <= 4000,
        `${cmi.suspend_data.length}`,
      );
      assert.deepEqual(refused, []);
      const two = await visit();
      assert.deepEqual(await typed(two.frame, 63), answers);
    });

    test('each learner keeps the variant that was drawn', async (context) => {
      if (waits(context)) return;
      const problems = problemsOf('scores', [1, 2, 3, 4, 5, 6, 7, 8]);
      const { visit, keep } = await attempts(context, version, problems);
      keep(version === 'scorm12' ? { core: { student_id: 'ada' } } : { learner_id: 'ada' });
      const numbers = (frame) => frame.locator('.given').innerText();
      const one = await visit();
      const drawn = await numbers(one.frame);
      await one.leave();
      for (let again = 0; again < 3; again++) {
        const next = await visit();
        assert.equal(await numbers(next.frame), drawn);
        await next.leave();
      }
    });
  });
}

test('what a platform kept of something else is nothing: the exercise opens anew', async (context) => {
  const { visit, keep } = await attempts(context, 'scorm12', problemsOf('scores', [4]));
  const hostile = [
    'x',
    '1;scores;4',
    '1;scores;4;2;1',
    '1;scores;999;1;1',
    '2;scores;4;1;7',
    `1;scores;4;;${'~'.repeat(3000)}`,
    `1;scores;4;;${'9'.repeat(3900)}`,
    `1;scores;4;${'1'.repeat(3900)};1`,
    '<img src=x onerror=alert(1)>',
    '{"__proto__":{"a":1}}',
    '"1;scores;4;1;',
    '1;scores;4;1;<img src=x onerror=alert(1)>',
  ];
  for (const suspend_data of sample(hostile, 4)) {
    keep({ suspend_data, core: { lesson_status: 'incomplete', entry: 'resume' } });
    const one = await visit();
    const inputs = await typed(one.frame, 9);
    assert.ok(
      inputs.every((answer) => answer === '' || suspend_data.includes(answer)),
      suspend_data,
    );
    await type(one.frame, ['5']);
    await checkAll(one.frame);
    await one.frame.getByText('Done').waitFor();
    assert.deepEqual(one.complaints, [], suspend_data);
    await one.close();
  }
});

for (const way of ['broken', 'deaf']) {
  test(`a platform that is ${way} harms nobody: the page works alone`, async (context) => {
    const { visit } = await attempts(context, 'scorm12', problemsOf('scores', [4]));
    const one = await visit(`&${way}`);
    assert.equal(await keeper(one.frame), 'This tab saves your work until you close it.');
    await type(one.frame, ['5', '6']);
    await checkAll(one.frame);
    await one.frame.getByText('Done').waitFor();
    await one.page.reload();
    assert.deepEqual((await typed(one.frame, 9)).slice(0, 3), ['5', '6', '']);
    assert.deepEqual(one.complaints, []);
  });
}

test('a page that is left by several ways ends once', async (context) => {
  const { visit } = await attempts(context, 'scorm12', problemsOf('scores', [4]));
  const one = await visit();
  await type(one.frame, ['5']);
  const before = (await one.calls()).length;
  await one.frame.locator('gf-assignment').evaluate(() => {
    for (let way = 0; way < 3; way++) dispatchEvent(new PageTransitionEvent('pagehide'));
    document.querySelector('input[data-place="1"]').value = '7';
  });
  await one.page.evaluate(() => document.querySelector('iframe').remove());
  const calls = await one.calls();
  assert.equal(calls.filter(({ name }) => name === 'Finish').length, 1);
  assert.deepEqual(calls.slice(before).filter(isRefused), []);
});

test('what the platform calls passed stays so', async (context) => {
  const [problem] = problemsOf('scores', [4]);
  const { visit, keep } = await attempts(context, 'scorm12', [problem]);
  const suspend_data = `1;scores;4;;${rightOf(problem).join('~')}`;
  keep({ suspend_data, core: { lesson_status: 'passed' } });
  const one = await visit();
  await checkAll(one.frame);
  await one.frame.getByText('Done: 9 of 9 points').waitFor();
  const { cmi, refused } = await one.leave();
  assert.equal(cmi.core.lesson_status, 'passed');
  assert.equal(Number(cmi.core.score.raw), 100);
  assert.deepEqual(refused, []);
});

test('a look back writes nothing', async (context) => {
  const { visit, keep } = await attempts(context, 'scorm12', problemsOf('scores', [4]));
  keep({
    suspend_data: '1;scores;4;1;5~6',
    core: { lesson_status: 'completed', lesson_mode: 'review' },
  });
  const one = await visit();
  assert.equal(await keeper(one.frame), 'You are reviewing an attempt: nothing is saved.');
  assert.deepEqual((await typed(one.frame, 9)).slice(0, 3), ['5', '6', '']);
  await type(one.frame, ['1']);
  await checkAll(one.frame);
  await one.frame.getByText('Done').waitFor();
  await one.page.evaluate(() => document.querySelector('iframe').remove());
  const names = (await one.calls()).map(({ name }) => name);
  assert.deepEqual([...new Set(names)].sort(), ['GetValue', 'Initialize']);
});
