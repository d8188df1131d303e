// A thread of a page.

import { help } from './help.js';

addEventListener('message', ({ data }) => help(data, () => postMessage('ready')), { once: true });
