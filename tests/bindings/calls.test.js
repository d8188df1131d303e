// Calls through a port: what crosses, in which order, and that each call settles whatever goes wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../bindings/js/base/call-client.js';
import { Server } from '../../bindings/js/base/call-server.js';

/** A client and a server; messages are copied, as between threads. */
function wired(answers) {
  const posted = [];
  const server = new Server(
    (message) => {
      const copy = structuredClone(message);
      posted.push(copy);
      queueMicrotask(() => client.hear(copy));
    },
    async (name, input, context) => answers[name](input, context),
  );
  const client = new Client((message) => {
    const copy = structuredClone(message);
    queueMicrotask(() => server.hear(copy));
  });
  return { client, server, posted };
}

test('events come in their order, and replies to those that ask', async () => {
  const { client } = wired({
    async sum({ n }, { tell, ask }) {
      tell({ begun: true });
      let sum = 0;
      for (let i = 0; i < n; i++) sum += await ask({ wanted: i });
      return sum;
    },
  });
  const events = [];
  const onEvent = async (event, reply) => {
    events.push(event);
    if ('wanted' in event) reply(10 ** event.wanted);
  };
  assert.equal(await client.call('sum', { n: 3 }, { onEvent }), 111);
  assert.deepEqual(events, [{ begun: true }, { wanted: 0 }, { wanted: 1 }, { wanted: 2 }]);
  assert.equal(client.size, 0);
});

test('calls run beside each other; each hears its own events', async () => {
  const { client } = wired({ echo: async ({ n }, { ask }) => (await ask({ n })) + n });
  const call = (n) =>
    client.call('echo', { n }, { onEvent: (event, reply) => reply(event.n * 100) });
  assert.deepEqual(await Promise.all([1, 2, 3].map(call)), [101, 202, 303]);
});

test('an abort ends what waits for a reply, before and after the call began', async () => {
  const { client } = wired({
    wait: async (_, { signal, ask }) => [await ask({ hello: 1 }), signal.aborted],
  });
  for (const at of ['before', 'after']) {
    const controller = new AbortController();
    if (at === 'before') controller.abort();
    const onEvent = () => controller.abort();
    const signals = [controller.signal];
    assert.deepEqual(await client.call('wait', null, { signals, onEvent }), [undefined, true]);
  }
});

test('what a listener throws is what the call is rejected with; the far side hears an abort', async () => {
  const odd = new RangeError('a listener failed');
  const ended = [];
  const { client } = wired({
    async work(_, { signal, ask }) {
      ended.push(await ask({ n: 1 }), signal.aborted);
    },
  });
  const onEvent = () => {
    throw odd;
  };
  await assert.rejects(client.call('work', null, { onEvent }), (error) => error === odd);
  await client.call('work', null, { signals: [AbortSignal.abort()] });
  assert.deepEqual(ended, [undefined, true, undefined, true]);
});

test('inputs and answers that cannot be sent reject their call, and stop no other', async () => {
  const { client, posted } = wired({ give: ({ odd }) => (odd ? () => {} : 'fine') });
  await assert.rejects(client.call('give', { odd: Symbol('x') }), { name: 'DataCloneError' });
  assert.equal(client.size, 0);
  await assert.rejects(client.call('give', { odd: true }), /could not be cloned/);
  assert.equal(await client.call('give', { odd: false }), 'fine');
  assert.equal(posted.length, 2);
});

test('errors cross with their class, code, sentence and what fills it in', async () => {
  const thrown = Object.assign(new RangeError('heads: 7'), {
    ...{ code: 'GF_ERANGE', detail: 'divisor', params: { where: 'heads', given: 7 } },
  });
  const { client } = wired({
    fail: () => {
      throw thrown;
    },
  });
  const { message, code, detail, params } = thrown;
  await assert.rejects(client.call('fail'), { name: 'RangeError', message, code, detail, params });
});

test('the end of the far side rejects all calls', async () => {
  const { client } = wired({ wait: () => new Promise(() => {}) });
  const calls = [client.call('wait'), client.call('wait')];
  const reason = new Error('gone');
  client.end(reason);
  for (const { reason: why } of await Promise.allSettled(calls)) assert.equal(why, reason);
  assert.equal(client.size, 0);
});

test('what is no message has no effect', async () => {
  const posted = [];
  const server = new Server(
    (message) => posted.push(message),
    async () => 1,
  );
  for (const odd of [null, undefined, 5, 'call', [], { id: 9, abort: true }, { id: 9, reply: 1 }]) {
    await server.hear(odd);
  }
  assert.deepEqual(posted, []);
});
