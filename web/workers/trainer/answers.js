// Who answers the questions about a training, in a worker or in the page itself.
import { load } from './core.js';
import { Trainer } from './trainer.js';

/** @param {import('../remote/server.js').Tell} tell */
export const answersOf = async (tell) => new Trainer(await load(), tell);
