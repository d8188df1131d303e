// The worker: the trainer, at the other end of the page's messages.
import { load } from './core.js';
import { failureOf } from './protocol.js';
import { Trainer } from './trainer.js';

const trainer = load().then(
  (gf) => new Trainer(gf, (telling, transfer = []) => postMessage(telling, { transfer })),
);

addEventListener('message', async ({ data }) => {
  try {
    await (await trainer).hear(data);
  } catch (error) {
    postMessage({ id: data.id, error: failureOf(error) });
  }
});
