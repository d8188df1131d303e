// The worker that startWorker starts in Node.

import { importTokenizer } from '../../formats/tokenizer-package.js';
import { serve } from './serve.js';

serve({
  openTokenizer: async (files) => (await importTokenizer()).openTokenizer(files),
});
