// The worker that startWorker starts in Node.

import { serve } from './serve.js';

serve({
  openTokenizer: async (files) => (await import('../../formats/tokenizer.js')).openTokenizer(files),
});
