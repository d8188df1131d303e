// The worker that startWorker starts in a page.

import { serve } from './serve.js';

serve();
