// The page's end of a worker, against one that answers, refuses, is silent, or ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Inbox } from '../../web/figures/embed/inbox.js';
import { Local } from '../../web/workers/remote/local.js';
import { Remote } from '../../web/workers/remote/remote.js';
import { serverOf } from '../../web/workers/remote/server.js';

/** Who answers: `wait` until the signal. */
const answersOf = async (tell) => ({
  double: ({ n }) => 2 * n,
  refuse: () => {
    throw Object.assign(new RangeError('no'), { code: 'GF_ERANGE', detail: 'x', params: { n: 1 } });
  },
  odd: () => {
    throw Object.assign(new Error('odd'), { params: { given: Symbol('odd') } });
  },
  wait: (_, signal) => {
    tell({ begun: true });
    return new Promise((done) => signal.addEventListener('abort', () => done('early')));
  },
  memory: () => new Float32Array([1, 2]),
  unsendable: () => () => {},
  circle: () => {
    const circle = { data: Float32Array.of(1) };
    circle.circle = circle;
    return circle;
  },
});

/** A remote with its ports, and what it heard. */
function wired(of = answersOf) {
  const ports = [];
  const heard = [];
  const ended = [];
  const open = () => {
    ports.push(new Local(of));
    return ports.at(-1);
  };
  const remote = new Remote(open, {
    heard: (telling) => heard.push(telling),
    ended: (reason) => ended.push(reason),
  });
  return { remote, ports, heard, ended };
}
const fire = (port, type, more = {}) => port.dispatchEvent(Object.assign(new Event(type), more));

describe('a question', () => {
  test('is answered, or refused with what the refusal is made of', async () => {
    const { remote } = wired();
    assert.equal(remote.running, false);
    const all = [1, 2, 3].map((n) => remote.ask('double', { n }));
    assert.equal(remote.running, true);
    assert.deepEqual(await Promise.all(all), [2, 4, 6]);
    assert.deepEqual(await remote.ask('memory', {}), new Float32Array([1, 2]));
    const told = {
      name: 'Refusal',
      message: 'no',
      code: 'GF_ERANGE',
      detail: 'x',
      params: { n: 1 },
    };
    await assert.rejects(remote.ask('refuse', {}), told);
    await assert.rejects(remote.ask('odd', {}), { name: 'Refusal', message: 'odd' });
    await assert.rejects(remote.ask('nothing', {}), { name: 'Refusal' });
    assert.equal(await remote.ask('double', { n: 4 }), 8);
  });

  test('that is cancelled is answered early; before it was begun, too', async () => {
    const { remote, heard } = wired();
    const stop = new AbortController();
    const answer = remote.ask('wait', {}, stop.signal);
    while (heard.length === 0) await new Promise((done) => setImmediate(done));
    stop.abort();
    assert.equal(await answer, 'early');
    assert.equal(await remote.ask('double', { n: 1 }, stop.signal), 2);
  });
});

describe('what goes wrong around a message', () => {
  const getter = {
    get n() {
      throw new Error('no n');
    },
  };

  for (const [what, question, name] of [
    ['cannot be sent', { n: () => {} }, 'DataCloneError'],
    ['throws when it is read', getter, 'Error'],
  ]) {
    test(`a question that ${what} is rejected, and the next is answered`, async () => {
      const { remote, ended } = wired();
      await assert.rejects(remote.ask('double', question), { name });
      await assert.rejects(remote.ask('double', question, AbortSignal.abort()), { name });
      assert.equal(await remote.ask('double', { n: 2 }), 4);
      /* Nothing waits any more: only what is asked now is rejected. */
      const waiting = remote.ask('wait', {});
      remote.close(new Error('enough'));
      await assert.rejects(waiting, { message: 'enough' });
      assert.deepEqual(ended, []);
    });
  }

  test('a question is what it is called, whatever else it holds', async () => {
    const { remote } = wired();
    assert.equal(await remote.ask('double', { n: 2, call: 'refuse', id: 7 }), 4);
  });

  test('names that every object has are no questions', async () => {
    const { remote } = wired();
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      await assert.rejects(remote.ask(name, {}), { name: 'Refusal', message: /no answer to/ });
    }
  });

  test('an answer that cannot be sent is a refusal; one that holds itself is sent', async () => {
    const { remote } = wired();
    await assert.rejects(remote.ask('unsendable', {}), { name: 'Refusal' });
    const circle = await remote.ask('circle', {});
    assert.equal(circle.circle, circle);
    assert.equal(await remote.ask('double', { n: 3 }), 6);
  });

  /** Thrown as it is; each is told somehow. */
  const THROWN = [
    Object.create(null),
    null,
    Symbol('x'),
    Object.assign(new Error('a'), { code: Symbol('code'), detail: () => {}, params: {} }),
    Object.defineProperty(new Error('b'), 'params', {
      get() {
        throw new Error('no params');
      },
    }),
    Object.defineProperty(new Error('c'), 'message', {
      get() {
        throw new Error('no message');
      },
    }),
    Object.assign(new Error('d'), { status: 10n, file: {}, name: Symbol('name') }),
  ];

  test('whatever is thrown is told', async () => {
    const { remote } = wired(async () => ({
      throw: ({ n }) => {
        throw THROWN[n];
      },
    }));
    for (const n of THROWN.keys()) {
      await assert.rejects(remote.ask('throw', { n }), { name: 'Refusal' });
    }
  });

  test('a failure that cannot be told does not stop the questions behind it', async () => {
    let broken = true;
    const told = [];
    const server = serverOf({ double: ({ n }) => 2 * n }, (telling) => {
      if (broken) throw new Error('no way out');
      told.push(telling);
    });
    await server.hear({ id: 1, call: 'double', input: { n: 1 } });
    broken = false;
    await server.hear({ id: 2, call: 'double', input: { n: 2 } });
    assert.deepEqual(told, [{ id: 2, answer: 4 }]);
  });

  test('what is no question has no effect', async () => {
    const told = [];
    const server = serverOf({}, (telling) => told.push(telling));
    for (const odd of [null, undefined, 5, 'do', [], { id: 9, abort: true }])
      await server.hear(odd);
    assert.deepEqual(told, []);
  });
});

describe('the questions of a frame', () => {
  const put = (inbox, data, send) => inbox.put({ glassformer: 1, ...data }, send);
  const asked = (inbox, data) => new Promise((done) => put(inbox, data, done));

  test('go on after an asker that cannot be reached', async () => {
    const inbox = new Inbox({ getState: () => {} }, () => '#x');
    put(inbox, { type: 'getState', id: 1 }, () => {
      throw new Error('gone');
    });
    const answer = { glassformer: 1, type: 'state', id: 2, state: '#x' };
    assert.deepEqual(await asked(inbox, { type: 'getState', id: 2 }), answer);
  });

  test('go on after a state that cannot be told, and whatever is thrown', async () => {
    let broken = true;
    const inbox = new Inbox(
      {
        getState: () => {},
        pause: () => {
          throw null;
        },
      },
      () => {
        if (broken) throw new Error('no state');
        return '#x';
      },
    );
    put(inbox, { type: 'getState', id: 1 }, () => {});
    assert.equal((await asked(inbox, { type: 'pause', id: 2 })).type, 'error');
    broken = false;
    assert.equal((await asked(inbox, { type: 'getState', id: 3 })).state, '#x');
  });

  test('are refused in words, whatever they hold', async () => {
    const inbox = new Inbox({}, () => '#x');
    for (const odd of [
      { type: 'constructor' },
      { type: '__proto__' },
      { type: 'round', round: { toString: 5 } },
      { type: 'round', round: ['2'] },
      { type: 'setState', state: 'x'.repeat(1e6) },
      JSON.parse('{"type":"seek","__proto__":{"at":1}}'),
    ]) {
      const { type, message } = await asked(inbox, { id: 1, ...odd });
      assert.equal(type, 'error');
      assert.match(message, /type must be one of|does not fit/);
    }
    let answered = false;
    for (const none of [null, 5, [], { glassform: 1 }, 'glassformer']) {
      inbox.put(none, () => {
        answered = true;
      });
    }
    await asked(inbox, { type: 'x' });
    assert.equal(answered, false);
  });
});

describe('a worker that ends', () => {
  const ends = {
    'by an error': (port) => fire(port, 'error', { message: 'boom' }),
    'by a message that cannot be read': (port) => fire(port, 'messageerror'),
  };
  for (const [how, end] of Object.entries(ends)) {
    test(`${how} rejects all who wait, once, and tells so`, async () => {
      const { remote, ports, ended } = wired();
      const waiting = [remote.ask('wait', {}), remote.ask('double', { n: 1 })];
      end(ports[0]);
      end(ports[0]);
      for (const one of await Promise.allSettled(waiting)) {
        assert.equal(one.status, 'rejected');
        assert.equal(one.reason.name, 'Ended');
      }
      assert.equal(ended.length, 1);
      assert.equal(remote.running, false);
      assert.equal(await remote.ask('double', { n: 5 }), 10);
      assert.equal(ports.length, 2);
      fire(ports[0], 'error', { message: 'late' });
      assert.equal(await remote.ask('double', { n: 6 }), 12);
      assert.equal(ended.length, 1);
    });
  }

  test('because it could not begin says why', async () => {
    const { remote, ended } = wired(async () => {
      throw new Error('no core');
    });
    await assert.rejects(remote.ask('double', { n: 1 }), { message: 'no core' });
    assert.equal(ended[0].message, 'no core');
  });

  test('because it is closed rejects with the reason, and nobody is told', async () => {
    const { remote, ended } = wired();
    const waiting = remote.ask('wait', {});
    const reason = new Error('enough');
    remote.close(reason);
    await assert.rejects(waiting, reason);
    remote.close();
    assert.deepEqual(ended, []);
  });
});
