// The worker: the trainer, at the far end of the page's questions.
import { serve } from '../remote/server.js';
import { answersOf } from './answers.js';

serve(answersOf);
