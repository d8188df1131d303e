// The exponential function.

import { single } from './kit/cells.js';

/** @type {import('./kit/cells.js').Story} */
export const story = single;
