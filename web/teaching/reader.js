// The door to the form of lessons, for one from a file of the reader's own.
export { readLesson } from '../../bindings/lessons/read.js';
