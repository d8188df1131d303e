// The worker: experiments, at the far end of the page's questions.
import { serve } from '../remote/server.js';
import { answersOf } from './answers.js';
import * as sources from './sources.js';

serve((tell) => answersOf(tell, sources));
