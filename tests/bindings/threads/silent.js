// A thread that ends within a part without a word.

import { parentPort } from 'node:worker_threads';

parentPort.once('message', ({ module, memory, team, stack, thread }) => {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  exports.__stack_pointer.value = stack;
  parentPort.postMessage('ready');
  exports.gf_team_help(team, thread);
});
