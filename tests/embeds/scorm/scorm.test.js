// A package in a learning platform, whose side of SCORM is scorm-again's.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sample, waits } from '../../support/sample.js';
import {
  checkAll,
  field,
  headOf,
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
async function attempts(context, version, problems, options) {
  const files = await unpacked(problems, { format: version, ...options });
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
    head: headOf(files),
    visit,
    keep: (cmi) => {
      kept = JSON.stringify(cmi);
    },
    /** What the platform has of a page that was killed: its last commit. */
    committed: () => JSON.parse(host.site.reports.at(-1)).cmi,
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
      await one.frame.getByText(/of 9 cells checked/).waitFor();
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

    test('an exam has no hints, is marked when it is handed in, and completed with the last time', async (context) => {
      const [problem] = problemsOf('scores', [4]);
      const answers = rightOf(problem);
      const { visit, keep, committed } = await attempts(context, version, [problem], {
        attempts: 2,
      });
      keep(version === 'scorm12' ? { core: { student_id: 'ada' } } : { learner_id: 'ada' });
      const button = (frame, name) => frame.getByRole('button', { name, exact: true });
      const handIn = async (frame, question) => {
        await button(frame, 'Hand in').click();
        await frame.getByText(question).waitFor();
        await button(frame, 'Hand in now').click();
      };
      const one = await visit();
      /* A second window of the same learner: its platform's page has the attempt as it was. */
      const other = await visit();
      await one.frame.getByText('You can hand in 2 times; the best mark counts.').waitFor();
      for (const name of ['Check all', 'Check this cell', 'Hint 1 of 3'])
        assert.equal(await button(one.frame, name).count(), 0, name);
      assert.equal(
        await one.frame.locator('.check-step').count(),
        0,
        'no button that does nothing',
      );
      await type(one.frame, answers.slice(0, 4));
      await field(one.frame, 0).press('Control+Enter');
      assert.equal(await one.frame.locator('.sign').count(), 0, 'nothing is marked before');
      assert.deepEqual(await one.sent(raw), []);
      await button(one.frame, 'Hand in').click();
      await button(one.frame, 'Go on working').click();
      await handIn(one.frame, '5 cells are empty. Hand in now?');
      await one.frame
        .getByText('Best mark so far: 4 of 9 points. You can hand in once more.')
        .waitFor();
      assert.equal(of({ cmi: committed() }).status, 'incomplete');
      assert.equal(Number(of({ cmi: committed() }).raw), 44.44);
      /* Which cells are right would be worth a second attempt. */
      assert.equal(await one.frame.locator('.sign, .mark, .finding').count(), 0);
      assert.match(await one.frame.locator('.strip').innerText(), /4 of 9 points/);
      const results = (await one.calls()).filter(({ given }) => /\.result$/.test(given[0]));
      assert.deepEqual([...new Set(results.map(({ given }) => given[1]))], ['neutral']);

      await other.frame.getByText('Best mark so far: 4 of 9 points.').waitFor();
      /* The first one is killed while something is typed. */
      await field(one.frame, 5).fill('77');
      await one.close();
      await type(other.frame, ['88']);
      await handIn(other.frame, 'cells are empty. Hand in now?');
      await other.frame.getByText('Handed in: 4 of 9 points').waitFor();
      assert.ok(
        (await other.frame.locator('.sign').count()) > 0,
        'marked once there is no more to do',
      );
      assert.equal(await field(other.frame, 0).getAttribute('readonly'), '');
      assert.equal(await button(other.frame, 'Hand in').count(), 0);
      const end = of({ cmi: committed() });
      assert.equal(end.status, 'completed', 'without the page being closed');
      assert.equal(Number(end.raw), 44.44, 'the better mark');
      const left = await other.leave();
      assert.deepEqual(left.refused, []);

      const later = await visit();
      await later.frame.getByText('Handed in: 4 of 9 points').waitFor();
      assert.equal((await typed(later.frame, 9))[0], '88', 'what was handed in last');
      await field(later.frame, 0).press('5');
      assert.equal((await typed(later.frame, 9))[0], '88');
      assert.deepEqual(later.complaints, []);
    });

    test('an exam that is all right is completed at once', async (context) => {
      if (waits(context)) return;
      const [problem] = problemsOf('scores', [4]);
      const { visit, committed } = await attempts(context, version, [problem], { attempts: 5 });
      const one = await visit();
      await type(one.frame, rightOf(problem));
      await one.frame.getByRole('button', { name: 'Hand in', exact: true }).click();
      await one.frame.getByText('All cells are filled in. Hand in now?').waitFor();
      await one.frame.getByRole('button', { name: 'Hand in now' }).click();
      await one.frame.getByText('Handed in: 9 of 9 points').waitFor();
      assert.equal(of({ cmi: committed() }).status, 'completed');
      assert.equal(Number(of({ cmi: committed() }).raw), 100);
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
  const { visit, keep, head } = await attempts(context, 'scorm12', problemsOf('scores', [4]));
  const hostile = [
    'x',
    head,
    `${head};2;1`,
    '1;scores;999;1;1',
    `${head.replace('1', '2')};1;7`,
    `${head};;${'~'.repeat(3000)}`,
    `${head};;${'9'.repeat(3900)}`,
    `${head};${'1'.repeat(3900)};1`,
    '<img src=x onerror=alert(1)>',
    '{"__proto__":{"a":1}}',
    `"${head};1;`,
    `${head};1;<img src=x onerror=alert(1)>`,
    `${head};1,1,2;5`,
    `${head};1,-1,0.5;5`,
    `${head};1,1,0.5,3;5`,
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
    await one.frame.getByText(/of 9 cells checked/).waitFor();
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
    await one.frame.getByText(/of 9 cells checked/).waitFor();
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
  const { visit, keep, head } = await attempts(context, 'scorm12', [problem]);
  const suspend_data = `${head};;${rightOf(problem).join('~')}`;
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
  const { visit, keep, head } = await attempts(context, 'scorm12', problemsOf('scores', [4]));
  keep({
    suspend_data: `${head};1;5~6`,
    core: { lesson_status: 'completed', lesson_mode: 'review' },
  });
  const one = await visit();
  assert.equal(await keeper(one.frame), 'You are reviewing an attempt: nothing is saved.');
  assert.deepEqual((await typed(one.frame, 9)).slice(0, 3), ['5', '6', '']);
  await type(one.frame, ['1']);
  await checkAll(one.frame);
  await one.frame.getByText(/of 9 cells checked/).waitFor();
  await one.page.evaluate(() => document.querySelector('iframe').remove());
  const names = (await one.calls()).map(({ name }) => name);
  assert.deepEqual([...new Set(names)].sort(), ['GetValue', 'Initialize']);
});
