// What lessons from elsewhere take from the bindings: it checks the form of a file.
export { readLesson } from '../../bindings/learn/lessons/read.js';
