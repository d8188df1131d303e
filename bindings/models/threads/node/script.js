// A thread in Node.

import { parentPort } from 'node:worker_threads';
import { help } from '../help.js';

parentPort?.once('message', (post) => help(post, () => parentPort?.postMessage('ready')));
