// The good call of everything that the package exports, and of what that gives.

import { eager } from './eager.js';
import * as functions from './functions.js';
import * as inside from './inside.js';
import * as lora from './lora.js';
import * as makers from './makers.js';
import * as models from './model.js';
import * as pocket from './pocket.js';
import * as stories from './stories.js';
import * as tapes from './tape.js';
import * as tasks from './tasks.js';
import * as texts from './text.js';

/** @param {import('../../../bindings/index.js').Glassformer} gf
 * @returns {Promise<Record<string, import('./wrong.js').Row[]>>} */
export async function tableOf(gf) {
  return {
    eager: Object.entries(eager).map(([name, args]) => ({
      name,
      args,
      make: () => ({ on: gf }),
      call: (on, given) => on[name](...given),
    })),
    ...(await tapes.rows(gf)),
    makers: makers.rows(gf),
    ...models.rows(gf),
    ...functions.rows(gf),
    tasks: tasks.rows(gf),
    stories: stories.rows(gf),
    pocket: pocket.rows(gf),
    inside: inside.rows(gf),
    lora: lora.rows(gf),
    text: await texts.rows(gf),
  };
}
