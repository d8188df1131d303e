// Who answers the questions about the birth of a head, in a worker or in the page itself.
import { Birth } from './birth.js';
import { load } from './core.js';

/** @param {import('../remote/server.js').Tell} tell */
export const answersOf = async (tell) => new Birth(await load(), tell);
