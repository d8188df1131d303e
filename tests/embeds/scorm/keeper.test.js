// What a learner typed is never lost, and what the page says of saving is true, whatever a platform does: the keeper of a
// package over a platform that fails at random, over browsers with and without storage, and over tabs that are killed.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { answered, checkedAt } from '../../../web/chapters/exercises/state.js';
import { ELEMENTS, platform } from '../../support/platform.js';
import { sample } from '../../support/sample.js';

const PROBLEMS = [1, 2, 3].map((seed) => ({
  recipe: 'scores',
  seed,
  asked: ['a[0]', 'a[1]', 'b[0]', 'b[1]'],
}));
const WORK = 'cmi.suspend_data';
const MINUTES = 5 * 60_000;

/** A browser's storage. */
class Storage {
  items = new Map();
  getItem = (key) => this.items.get(key) ?? null;
  setItem = (key, value) => this.items.set(key, String(value));
  removeItem = (key) => this.items.delete(key);
}

/** Milliseconds since the page was opened. */
let clock = 0;
const GLOBALS = [
  'window',
  'parent',
  'location',
  'localStorage',
  'sessionStorage',
  'addEventListener',
];
const before = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
const put = (name, value) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** What a tab is: a frame of a platform, or a page without one. */
function inTab({ host = {}, local = new Storage(), session = new Storage() } = {}) {
  const listeners = [];
  const outer = { postMessage: () => {}, ...host };
  outer.parent = outer;
  const frame = { parent: outer, opener: null, top: outer };
  put('window', frame);
  put('parent', outer);
  put('location', { pathname: '/course/index.html' });
  put('localStorage', local);
  put('sessionStorage', session);
  put('addEventListener', (type, heard) => listeners.push([type, heard]));
  return { outer, listeners };
}

const { Keeper } = await import('../../../web/figures/assignment/keeper.js');

beforeEach(() => {
  clock = 0;
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  mock.method(performance, 'now', () => clock);
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
  for (const [name, descriptor] of before) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else delete globalThis[name];
  }
});

function tick(milliseconds) {
  for (let rest = milliseconds; rest > 0; rest -= 500) {
    clock += 500;
    mock.timers.tick(500);
  }
}

/** Opens the exercise in the tab that is there. */
function opened(standard = 'scorm12', exam = {}) {
  const page = { show: () => {}, follow: () => {} };
  const keeper = new Keeper(
    { id: 'quiz', title: 'Quiz', lang: 'en', standard, problems: PROBLEMS, ...exam },
    page,
  );
  keeper.begin();
  return keeper;
}

const typeInto = (keeper, place, answer) =>
  keeper.changed(answered(keeper.work.typed, new Map([[place, answer]])));

/** Reports what is checked; each answer of "1" is right. The cells are those that are checked now. */
function report(keeper, places) {
  const { asked } = keeper.work.problem;
  const { answers, checked } = keeper.work.typed;
  const points = asked.filter((_, at) => checked[at] === '1' && answers[at] === '1').length;
  keeper.report({
    points,
    max: asked.length,
    cells: places.map((at) => ({
      cell: asked[at],
      answer: answers[at] ?? '',
      points: Number(answers[at] === '1'),
      message: '',
    })),
  });
}

function check(keeper) {
  const all = keeper.work.problem.asked.map((_, at) => at);
  const { answers } = keeper.work.typed;
  keeper.changed({ answers, ...checkedAt(keeper.work.typed, all) });
  report(keeper, all);
}

/** Hands in an exam, as the page does. */
function handIn(keeper) {
  keeper.spend(1);
  check(keeper);
}

const answersOf = ({ work }) => PROBLEMS[0].asked.map((_, at) => work.typed.answers[at] ?? '');
/** What is in a text that a platform has. */
const kept = (text) => (text ?? '').split(';').slice(4).join(';');

const FAULTS = ['throw', 'false', 'undefined', 'empty', 'drop', 'cut'];
const ERRORS = ['honest', 'always 101', 'always 0', 'none'];

describe('a platform that fails at random', () => {
  const place = fc.nat(3);
  const answer = fc.constantFrom('1', '2', '3.5', '−4');
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('type'), place, answer }) },
    fc.record({ do: fc.constant('check') }),
    fc.record({ do: fc.constant('wait'), for: fc.constantFrom(500, 4000, 70_000) }),
    fc.record({ do: fc.constant('hide') }),
    fc.record({ do: fc.constant('leave') }),
    fc.record({ do: fc.constant('kill') }),
    fc.record({
      do: fc.constant('fail'),
      calls: fc.array(fc.constantFrom('', ...FAULTS), { maxLength: 12 }),
    }),
    fc.record({ do: fc.constant('outage'), way: fc.constantFrom('', ...FAULTS.slice(0, 4)) }),
  );
  const scene = fc.record({
    standard: fc.constantFrom('scorm12', 'scorm2004'),
    errors: fc.constantFrom(...ERRORS),
    numbers: fc.boolean(),
    stores: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: 25 }),
  });

  const seeds = Array.from({ length: 50 }, (_, i) => i + 1);
  const holds = (seed) =>
    fc.assert(
      fc.property(scene, ({ standard, errors, numbers, stores, steps }) => {
        const { status, learner, fresh, raw } = ELEMENTS[standard];
        const stored = { [status]: fresh, [learner]: 'ada' };
        let plan = [];
        let outage = '';
        const fault = () => outage || plan.shift() || '';
        const local = stores ? new Storage() : null;
        /** The answers as the learner sees them; what is not promised may be lost with a tab. */
        let expected = ['', '', '', ''];
        let isPromised = true;
        let hasAll = false;
        /** The best score that was reported. */
        let best = 0;
        const open = () => {
          const { api, name } = platform(standard, stored, { fault, errors, numbers });
          inTab({ host: { [name]: api }, ...(local ? { local } : { local: undefined }) });
          if (!local) {
            const refuse = { get: () => assert.fail('no storage'), configurable: true };
            Object.defineProperty(globalThis, 'localStorage', refuse);
          }
          return opened(standard);
        };
        let keeper = open();
        const again = () => {
          isPromised = local !== null || ['saved', 'again'].includes(keeper.status.name);
        };
        const healthy = () => {
          plan = [];
          outage = '';
          tick(2 * MINUTES);
        };
        const reopen = () => {
          keeper = open();
          healthy();
          /* As the page does once it is drawn. */
          if (keeper.owes && keeper.scorm.state === 'open') report(keeper, []);
          /* The browser keeps its copy under the learner's name. */
          assert.equal(keeper.scorm.learner, 'ada');
          if (isPromised) assert.deepEqual(answersOf(keeper), expected, 'after coming back');
          else expected = answersOf(keeper);
          isPromised = true;
        };
        const steps_ = {
          type: ({ place, answer }) => {
            typeInto(keeper, place, answer);
            expected[place] = answer;
            hasAll = false;
          },
          check: () => {
            check(keeper);
            hasAll = expected.every(Boolean);
            best = Math.max(best, expected.filter((one) => one === '1').length / 4);
          },
          wait: ({ for: milliseconds }) => tick(milliseconds),
          hide: () => keeper.hide(),
          leave: () => {
            const wasSaved = expected.every((one) => !one);
            keeper.leave();
            again();
            isPromised ||= wasSaved;
            reopen();
          },
          kill: () => {
            again();
            isPromised ||= expected.every((one) => !one);
            mock.timers.reset();
            mock.timers.enable({ apis: ['setTimeout', 'Date'] });
            reopen();
          },
          fail: ({ calls }) => {
            plan = [...calls];
          },
          outage: ({ way }) => {
            outage = way;
          },
        };
        for (const one of steps) {
          steps_[one.do](one);
          assert.deepEqual(answersOf(keeper), expected, one.do);
          const { name } = keeper.status;
          if (['saved', 'again'].includes(name)) {
            assert.equal(stored[WORK], keeper.text, `"${name}" after ${one.do}`);
          }
        }
        healthy();
        /* A text that was cut just as the tab was left may be none. */
        if (keeper.status.name === 'foreign') keeper.replace();
        healthy();
        assert.deepEqual(answersOf(keeper), expected);
        if (expected.some(Boolean)) {
          assert.equal(stored[WORK], keeper.text, 'the platform has it in the end');
          assert.ok(!keeper.status.isTrouble, keeper.status.name);
        }
        if (hasAll && isPromised && local) {
          assert.equal(stored[status], 'completed');
          assert.notEqual(stored[raw] ?? '', '');
        }
        if (best && isPromised && local) {
          assert.ok(Number(stored[raw]) >= 100 * best, `${stored[raw]}, not ${100 * best}`);
        }
      }),
      { numRuns: 600, seed, includeErrorInReport: true },
    );

  for (const seed of sample(seeds, 3)) {
    test(`loses nothing that was typed, and says nothing that is not so (seed ${seed})`, () => {
      holds(seed);
    });
  }
});

for (const standard of ['scorm12', 'scorm2004']) {
  const { status, learner, mode, entry, raw, session, fresh } = ELEMENTS[standard];
  const work = '1;scores;2;1;7~8';
  const resumed = (more) => ({
    [status]: 'incomplete',
    [entry]: 'resume',
    [learner]: 'ada',
    [WORK]: work,
    ...more,
  });
  /** A tab with a platform. */
  const visit = (stored, faults, tab = {}) => {
    const made = platform(standard, stored, faults);
    inTab({ ...tab, host: { [made.name]: made.api, ...tab.host } });
    const keeper = opened(standard);
    const sets = (pattern) =>
      made.calls.filter(({ name, given }) => name === 'SetValue' && pattern.test(given[0]));
    return { ...made, keeper, sets };
  };

  describe(standard, () => {
    for (const errors of ERRORS) {
      test(`a read that fails overwrites nothing (errors: ${errors})`, () => {
        for (const way of ['empty', 'throw', 'undefined']) {
          const stored = resumed();
          let left = 5;
          const fault = (_, element) => (element === WORK && left-- > 0 ? way : '');
          const { keeper } = visit(stored, { fault, errors });
          typeInto(keeper, 2, '9');
          tick(10_000);
          assert.equal(kept(stored[WORK]), '7~8~9', way);
        }
      });
    }

    test('reads that fail for ever are said, and nothing is written over them', () => {
      const stored = resumed();
      const fault = (name, element) => (element === WORK && name === 'GetValue' ? 'empty' : '');
      const { keeper, sets } = visit(stored, { fault });
      typeInto(keeper, 0, '9');
      tick(MINUTES);
      keeper.leave();
      assert.equal(stored[WORK], work);
      assert.deepEqual(sets(/suspend_data|score|status/), []);
      assert.equal(keeper.status.name === 'unread' || keeper.scorm.state === 'ended', true);
    });

    test('nothing is written until something is typed', () => {
      for (const stored of [resumed(), { [status]: fresh, [learner]: 'ada' }]) {
        const { sets, keeper } = visit(stored);
        tick(MINUTES);
        assert.deepEqual(sets(/./), []);
        const first = keeper.text;
        keeper.leave();
        assert.deepEqual(sets(/suspend_data|score/), []);
        assert.equal(stored[status], 'incomplete', 'a page that was only opened is not complete');
        assert.equal(visit(stored).keeper.text, first, 'the same numbers the next time');
      }
    });

    test('what is not understood stays until the learner replaces it', () => {
      for (const foreign of ['2;scores;2;1;7', '1;scores;99;1;7', '{"a":1}', 'x']) {
        const stored = resumed({ [WORK]: foreign, [raw]: '80' });
        const { keeper } = visit(stored);
        assert.equal(keeper.status.name, 'foreign');
        for (const at of [0, 1, 2, 3]) typeInto(keeper, at, '1');
        check(keeper);
        tick(MINUTES);
        assert.equal(stored[WORK], foreign);
        assert.equal(stored[raw], '80');
        keeper.replace();
        tick(5000);
        assert.equal(kept(stored[WORK]), '1~1~1~1');
        assert.equal(Number(stored[raw]), 100);
        assert.equal(keeper.status.name, 'saved');
      }
    });

    for (const way of ['false', 'throw', 'undefined', 'drop', 'cut']) {
      test(`refused writes are said at once, and that they work again (${way})`, () => {
        const stored = resumed();
        let isDown = true;
        const fault = (name) => (isDown && ['SetValue', 'Commit'].includes(name) ? way : '');
        const { keeper } = visit(stored, { fault });
        assert.equal(keeper.status.name, 'platform');
        typeInto(keeper, 2, '9');
        assert.equal(keeper.status.name, 'refused');
        tick(MINUTES);
        assert.equal(keeper.status.name, 'refused');
        assert.equal(keeper.status.time.getTime(), 0, 'since when');
        isDown = false;
        tick(60_000);
        assert.equal(keeper.status.name, 'again');
        assert.equal(kept(stored[WORK]), '7~8~9');
      });
    }

    test('a platform that lost the work gets it back from the browser', () => {
      const local = new Storage();
      const stored = resumed();
      const first = visit(stored, {}, { local });
      typeInto(first.keeper, 2, '9');
      first.keeper.leave();
      stored[WORK] = '';
      const second = visit(stored, {}, { local });
      tick(10_000);
      assert.deepEqual(answersOf(second.keeper), ['7', '8', '9', '']);
      assert.ok(second.keeper.isRestored);
      assert.equal(kept(stored[WORK]), '7~8~9');
    });

    test('an older text that the platform kept unasked does not replace a newer copy', () => {
      for (const way of ['drop', 'cut']) {
        const local = new Storage();
        const stored = { [status]: fresh, [learner]: 'ada' };
        let fault = '';
        const faults = { fault: (name) => (name === 'SetValue' ? fault : '') };
        const first = visit(stored, faults, { local });
        for (const at of [0, 1, 2, 3]) typeInto(first.keeper, at, '4');
        fault = way;
        typeInto(first.keeper, 2, '−15.25');
        /* The end stores what is set; no commit has confirmed it. */
        first.keeper.leave();
        const second = visit(stored, {}, { local });
        tick(10_000);
        assert.deepEqual(answersOf(second.keeper), ['4', '4', '−15.25', '4'], way);
        assert.equal(stored[WORK], second.keeper.text);
        assert.equal(second.keeper.status.name, 'saved');
      }
    });

    test('an empty name that hides a failure does not hide the copy', () => {
      for (const errors of ERRORS) {
        const local = new Storage();
        const stored = resumed();
        const first = visit(
          stored,
          { fault: (name) => (name === 'SetValue' ? 'false' : '') },
          { local },
        );
        typeInto(first.keeper, 2, '9');
        let reads = 4;
        const fault = (_, element) => (element === learner && reads-- > 0 ? 'empty' : '');
        const { keeper } = visit(stored, { fault, errors }, { local });
        tick(10_000);
        assert.deepEqual(answersOf(keeper), ['7', '8', '9', ''], errors);
      }
    });

    test('a tab that is killed while a cell is being typed into loses nothing', () => {
      const local = new Storage();
      const stored = resumed();
      const { keeper } = visit(stored, {}, { local });
      keeper.draft(2, '3.1');
      const second = visit(stored, {}, { local });
      assert.deepEqual(answersOf(second.keeper), ['7', '8', '3.1', '']);
    });

    test('a copy is shown to its learner alone, and not at once in a new attempt', () => {
      const local = new Storage();
      const stored = { [status]: fresh, [learner]: 'ada' };
      const first = visit(stored, {}, { local });
      typeInto(first.keeper, 0, '9');
      first.keeper.leave();
      for (const other of ['bob', '']) {
        const { keeper } = visit({ [status]: fresh, [learner]: other }, {}, { local });
        tick(10_000);
        assert.deepEqual(answersOf(keeper), ['', '', '', '']);
        assert.equal(keeper.earlier, null);
      }
      const { keeper } = visit({ [status]: fresh, [learner]: 'ada' }, {}, { local });
      assert.deepEqual(answersOf(keeper), ['', '', '', '']);
      keeper.swap();
      assert.deepEqual(answersOf(keeper), ['9', '', '', '']);
    });

    test('an API that comes late, or another one later, is found', () => {
      const stored = resumed();
      const { outer } = inTab();
      mock.method(Math, 'random', () => 0.5);
      const keeper = opened(standard);
      typeInto(keeper, 2, '9');
      assert.equal(keeper.status.name, 'tab');
      tick(3000);
      const first = platform(standard, stored);
      outer[first.name] = first.api;
      tick(6000);
      assert.equal(keeper.status.name, 'saved');
      assert.equal(kept(stored[WORK]), '7~8~9');
      /* The platform's window is made anew: the old object is dead. */
      for (const name in first.api) {
        first.api[name] = () => {
          throw new Error('the window is closed');
        };
      }
      const second = platform(standard, stored);
      outer[second.name] = second.api;
      typeInto(keeper, 3, '5');
      tick(60_000);
      assert.equal(keeper.status.name, 'again');
      assert.equal(stored[WORK], keeper.text);
    });

    test('an API that comes late with other numbers: both works are there', () => {
      const { outer } = inTab();
      mock.method(Math, 'random', () => 0);
      const keeper = opened(standard);
      typeInto(keeper, 2, '9');
      const { name, api } = platform(standard, resumed());
      outer[name] = api;
      tick(3000);
      assert.deepEqual(answersOf(keeper), ['7', '8', '', '']);
      keeper.swap();
      assert.deepEqual(answersOf(keeper), ['', '', '9', '']);
      keeper.swap();
      assert.deepEqual(answersOf(keeper), ['7', '8', '', '']);
    });

    test('windows of other origins between this one and the platform are passed', () => {
      const stored = resumed();
      const made = platform(standard, stored);
      const top = { [made.name]: made.api, postMessage: () => {} };
      top.parent = top;
      const strange = new Proxy(
        {},
        {
          get: (_, name) => {
            if (name === 'parent') return top;
            throw new DOMException('Blocked a frame', 'SecurityError');
          },
        },
      );
      inTab();
      put('window', { parent: strange, opener: null, top });
      assert.deepEqual(answersOf(opened(standard)), ['7', '8', '', '']);
    });

    test('two windows with the same attempt: both have what either typed', () => {
      const stored = resumed();
      /* One API that both share, as a platform's page has it. */
      const made = platform(standard, stored);
      const host = { [made.name]: made.api };
      inTab({ host });
      const one = opened(standard);
      inTab({ host });
      const two = opened(standard);
      typeInto(one, 2, '3');
      typeInto(two, 3, '4');
      typeInto(one, 0, '5');
      tick(10_000);
      assert.equal(kept(stored[WORK]), '5~8~3~4');
      assert.deepEqual(answersOf(one), ['5', '8', '3', '4']);
    });

    /** Windows of one learner in a browser, each with a platform's page that loaded the attempt when it was opened. */
    function windows(local) {
      const all = [];
      return (stored, exam) => {
        const { api, name } = platform(standard, stored);
        const { listeners } = inTab({ host: { [name]: api }, local });
        const keeper = opened(standard, exam);
        const write = keeper.browser.write.bind(keeper.browser);
        keeper.browser.write = (copy) => {
          write(copy);
          const { key } = keeper.browser;
          for (const other of all) {
            if (other.listeners === listeners) continue;
            for (const [type, heard] of other.listeners)
              if (type === 'storage') heard({ key, newValue: local.getItem(key) });
          }
        };
        all.push({ listeners });
        return keeper;
      };
    }

    const answerAll = (keeper, answers) =>
      answers.forEach((answer, at) => {
        typeInto(keeper, at, answer);
      });

    test('a second window, an older state and a later check never lower the mark', () => {
      const stored = { [status]: fresh, [learner]: 'ada' };
      const open = windows(new Storage());
      const [one, stale] = [open(stored), open(stored)];
      answerAll(one, ['1', '1', '1', '1']);
      check(one);
      assert.equal(Number(stored[raw]), 100);
      /* The page around this window still has the attempt as it was when it was opened. */
      answerAll(stale, ['1', '2', '2', '2']);
      check(stale);
      tick(MINUTES);
      assert.equal(Number(stored[raw]), 100, 'the second window');
      stale.leave();
      one.leave();
      const old = { ...stored, [WORK]: '1;scores;2;;7', [raw]: '25' };
      const later = open(old);
      tick(10_000);
      check(later);
      tick(MINUTES);
      assert.equal(Number(old[raw]), 100, 'an older state');
      for (const more of [{}, { local: undefined }]) {
        const better = { [status]: 'incomplete', [learner]: 'ada', [raw]: '75.5' };
        const { keeper } = visit(better, {}, more);
        tick(10_000);
        answerAll(keeper, ['1', '2', '2', '2']);
        check(keeper);
        tick(MINUTES);
        assert.equal(better[raw], '75.5', 'a later check');
      }
    });

    describe('an exam', () => {
      const attempts = (n) => ({ attempts: n });

      test('is completed by its last hand-in, at once and committed, and not before', () => {
        for (const n of [1, 2, 3]) {
          const stored = { [status]: fresh, [learner]: 'ada' };
          const made = platform(standard, stored);
          inTab({ host: { [made.name]: made.api } });
          const keeper = opened(standard, attempts(n));
          answerAll(keeper, ['1', '1', '2']);
          tick(10_000);
          assert.equal(stored[raw], undefined, 'nothing is marked before');
          for (let used = 1; used <= n; used++) {
            assert.equal(keeper.isDone, false);
            handIn(keeper);
            assert.equal(
              stored[status],
              used === n ? 'completed' : 'incomplete',
              `${used} of ${n}`,
            );
          }
          assert.equal(Number(stored[raw]), 50);
          assert.ok(keeper.isDone);
          assert.equal(keeper.status.name, 'saved');
        }
      });

      test('is completed at once when all is right, or the learner wants no more', () => {
        for (const isRight of [true, false]) {
          const stored = { [status]: fresh, [learner]: 'ada' };
          const made = platform(standard, stored);
          inTab({ host: { [made.name]: made.api } });
          const keeper = opened(standard, attempts(5));
          answerAll(keeper, isRight ? ['1', '1', '1', '1'] : ['1', '2', '2', '2']);
          handIn(keeper);
          assert.equal(stored[status], isRight ? 'completed' : 'incomplete');
          if (isRight) continue;
          keeper.spend(4);
          report(keeper, []);
          assert.equal(stored[status], 'completed');
          assert.equal(Number(stored[raw]), 25);
        }
      });

      test('keeps the best mark and what was handed in, over killed tabs and other windows', () => {
        const stored = { [status]: fresh, [learner]: 'ada' };
        const open = windows(new Storage());
        const one = open(stored, attempts(2));
        answerAll(one, ['1', '1', '1', '2']);
        handIn(one);
        typeInto(one, 0, '3');
        /* The tab is killed; the platform keeps what was committed. */
        mock.timers.reset();
        mock.timers.enable({ apis: ['setTimeout', 'Date'] });
        const two = open(stored, attempts(2));
        tick(10_000);
        assert.deepEqual(answersOf(two), ['3', '1', '1', '2']);
        assert.equal(two.work.used, 1, 'the attempt is used');
        const stale = open({ [status]: 'incomplete', [learner]: 'ada' }, attempts(2));
        handIn(two);
        assert.equal(stored[status], 'completed');
        assert.equal(Number(stored[raw]), 75, 'the first hand-in was better');
        typeInto(stale, 1, '4');
        tick(MINUTES);
        assert.ok(stale.isDone, 'no window has an attempt left');
        assert.equal(stale.work.best, 0.75);
      });

      test('a platform that goes back to an older state gives no attempt back, and gets the mark again', () => {
        const local = new Storage();
        const stored = { [status]: fresh, [learner]: 'ada' };
        const open = windows(local);
        const one = open(stored, attempts(1));
        answerAll(one, ['1', '2', '2', '2']);
        tick(10_000);
        const before = { ...stored };
        /* So many states ago that the browser does not know it. */
        for (let again = 0; again < 50; again++) {
          typeInto(one, 1, `${again}`);
          tick(1000);
        }
        typeInto(one, 1, '1');
        handIn(one);
        one.leave();
        const two = open(before, attempts(1));
        tick(10_000);
        assert.deepEqual(answersOf(two), ['1', '1', '2', '2']);
        assert.ok(two.isDone);
        assert.ok(two.owes, 'the mark is sent again');
        report(two, []);
        tick(10_000);
        assert.equal(Number(before[raw]), 50);
        assert.equal(before[status], 'completed');
      });

      test('answers of an earlier attempt bring neither its mark nor its attempts', () => {
        const local = new Storage();
        const open = windows(local);
        const first = open({ [status]: fresh, [learner]: 'ada' }, attempts(2));
        answerAll(first, ['1', '1', '1', '2']);
        handIn(first);
        first.leave();
        const again = { [status]: fresh, [learner]: 'ada' };
        const second = open(again, attempts(2));
        tick(10_000);
        assert.deepEqual(answersOf(second), ['', '', '', '']);
        second.swap();
        assert.deepEqual(answersOf(second), ['1', '1', '1', '2']);
        assert.deepEqual([second.work.used, second.work.best], [0, null]);
        typeInto(second, 0, '2');
        handIn(second);
        handIn(second);
        assert.equal(Number(again[raw]), 50);
        assert.equal(second.earlier, null, 'what was handed in stands');
      });

      test('an attempt that was cut off after the last hand-in is completed at the next visit', () => {
        const stored = resumed({ [WORK]: '1;scores;2;11,1,0.25;1~8', [raw]: '25' });
        const made = platform(standard, stored);
        inTab({ host: { [made.name]: made.api } });
        const keeper = opened(standard, attempts(1));
        tick(10_000);
        assert.equal(stored[status], 'completed');
        assert.ok(keeper.isDone);
      });

      test('a platform that fails for a while has the mark and the end when it works again', () => {
        for (const way of FAULTS) {
          const stored = { [status]: fresh, [learner]: 'ada' };
          let isDown = false;
          const fault = (name) => (isDown && name !== 'Initialize' ? way : '');
          const made = platform(standard, stored, { fault });
          inTab({ host: { [made.name]: made.api } });
          const keeper = opened(standard, attempts(1));
          answerAll(keeper, ['1', '1', '2', '2']);
          isDown = true;
          handIn(keeper);
          tick(MINUTES);
          isDown = false;
          tick(MINUTES);
          assert.equal(Number(stored[raw]), 50, way);
          assert.equal(stored[status], 'completed', way);
        }
      });
    });

    test('all that is checked completes the attempt at once, committed', () => {
      const stored = { [status]: fresh, [learner]: 'ada' };
      const { keeper } = visit(stored);
      for (const at of [0, 1, 2, 3]) typeInto(keeper, at, '1');
      check(keeper);
      assert.equal(stored[status], 'completed');
      assert.equal(Number(stored[raw]), 100);
      assert.equal(keeper.status.name, 'saved');
    });

    test('an attempt that was cut off before it was called complete is completed at the next visit', () => {
      const stored = resumed({ [WORK]: '1;scores;2;1111;1~1~1~1', [raw]: '100' });
      const { keeper, sets } = visit(stored);
      tick(10_000);
      assert.equal(stored[status], 'completed');
      keeper.leave();
      assert.deepEqual(sets(/score/), [], 'no score without a check');
    });

    test('what the platform calls passed or failed stays so, also where its reads fail', () => {
      for (const verdict of ['passed', 'failed', 'completed']) {
        const stored = resumed({ [status]: verdict });
        let left = 4;
        const fault = (_, element) => (element === status && left-- > 0 ? 'throw' : '');
        const { keeper } = visit(stored, { fault });
        for (const at of [0, 1, 2, 3]) typeInto(keeper, at, '1');
        check(keeper);
        tick(MINUTES);
        keeper.leave();
        assert.equal(stored[status], verdict);
      }
    });

    for (const way of ['review', 'browse']) {
      test(`in mode "${way}" nothing is written, nor kept in the browser`, () => {
        const local = new Storage();
        const { keeper, sets, calls } = visit(resumed({ [mode]: way }), {}, { local });
        typeInto(keeper, 0, '9');
        check(keeper);
        tick(MINUTES);
        keeper.hide();
        keeper.leave();
        assert.deepEqual(sets(/./), []);
        assert.ok(calls.every(({ name }) => ['Initialize', 'GetValue'].includes(name)));
        assert.equal(local.items.size, 0);
        assert.equal(keeper.status.name, 'review');
      });
    }

    test('without a count that can be believed no interaction is written over another, at later visits either', () => {
      for (const count of ['', '0', 'throw']) {
        const stored = resumed();
        const fault = (_, element) => {
          if (element !== 'cmi.interactions._count') return '';
          return count === 'throw' ? 'throw' : 'empty';
        };
        for (const answer of ['1', '2']) {
          const { keeper } = visit(stored, { fault });
          for (const at of [0, 1, 2, 3]) typeInto(keeper, at, answer);
          check(keeper);
          keeper.leave();
        }
        const ids = Object.keys(stored).filter((name) => /interactions\.\d+\.id$/.test(name));
        assert.equal(ids.length, 8, count);
      }
    });

    test('refused interactions are no refused work', () => {
      const stored = resumed();
      const fault = (_, element = '') => (/interactions/.test(element) ? 'false' : '');
      const { keeper } = visit(stored, { fault });
      typeInto(keeper, 2, '1');
      check(keeper);
      assert.equal(keeper.status.name, 'saved');
    });

    test('the time of a session does not follow a clock that is set back', () => {
      const stored = resumed();
      const { keeper, sets } = visit(stored);
      typeInto(keeper, 2, '9');
      tick(65_000);
      mock.timers.setTime(Date.parse('2001-01-01'));
      keeper.leave();
      const [{ given }] = sets(/session_time/).slice(-1);
      assert.equal(given[1], standard === 'scorm12' ? '0000:01:05' : 'PT0H1M5S');
      assert.equal(stored[session], given[1]);
    });

    test('an end that fails leaves the work in the browser, to be sent at the next visit', () => {
      const local = new Storage();
      const stored = resumed();
      const fault = (name) => (['Commit', 'End'].includes(name) ? 'false' : '');
      const first = visit(stored, { fault }, { local });
      typeInto(first.keeper, 2, '9');
      check(first.keeper);
      first.keeper.leave();
      assert.equal(stored[WORK], work);
      const second = visit(stored, {}, { local });
      tick(10_000);
      assert.equal(kept(stored[WORK]), '7~8~9');
      assert.ok(second.keeper.owes, 'the score must be sent');
    });
  });
}

test('a grade that is asked for before the core is there is no grade', async () => {
  const { outer, listeners } = inTab();
  const posted = [];
  outer.postMessage = (message) => posted.push(message);
  const { input } = opened();
  assert.throws(() => globalThis.getGrade(), /still loading/);
  let isReady = () => {};
  input.ready = new Promise((resolve) => {
    isReady = resolve;
  });
  const data = JSON.stringify({ id: 7, method: 'JSInput::getGrade' });
  for (const [type, heard] of listeners) if (type === 'message') heard({ source: outer, data });
  const answers = () =>
    posted.filter((text) => typeof text === 'string' && text.includes('"id":7'));
  await null;
  assert.deepEqual(answers(), []);
  input.grade = () => ({ score: 0.5 });
  isReady();
  await input.ready;
  await null;
  assert.deepEqual(answers(), [JSON.stringify({ id: 7, result: '{"score":0.5}' })]);
});
