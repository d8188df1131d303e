// What a figure loads to translate: the model's weights, and the language that it was trained on.
import { frenchEnglish as task } from '../../bindings/tasks/french-english.js';
import { END, START, UNKNOWN } from '../../bindings/tasks/vocabulary.js';

const weights = Uint8Array.from(atob(import.meta.env.TRANSLATOR), (letter) => letter.charCodeAt(0));
const detail = { weights, task, marks: { START, END, UNKNOWN } };
document.currentScript?.dispatchEvent(new CustomEvent('glassformer-file', { detail }));
