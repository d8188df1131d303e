// The page's end of a worker, against one that answers, refuses, is silent, or ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Local } from '../../web/remote/local.js';
import { Remote } from '../../web/remote/remote.js';

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
