// In place of the list of lessons: a figure shows one.
import { text } from '../locale/text.js';
import { NAMES } from '../teaching/list.js';

export async function prepare() {
  throw new RangeError(text('embed/noLesson', { names: NAMES.join(', ') }));
}
