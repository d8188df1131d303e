// The file that a figure loads to translate: the model's weights, and the language that it was trained on.
import { frenchEnglish as task } from '../../../bindings/lab/tasks/french-english.js';
import { END, START, UNKNOWN } from '../../../bindings/lab/tasks/vocabulary.js';
import { give, weights } from './weights.js';

give({ weights, task, marks: { START, END, UNKNOWN } });
