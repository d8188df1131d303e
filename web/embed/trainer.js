// The trainer of a lesson in a figure, which has no worker: it works on the page's own thread.
import { Local } from '../remote/local.js';
import { answersOf } from '../trainer/answers.js';

export const openTrainer = () => new Local(answersOf);
