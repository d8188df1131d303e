// The problems as they are, for programs.

import { jsonValue } from '../../../js/base/file.js';

/** @type {import('./page.js').Writer} */
export const write = (_, problems) => [
  { path: 'quiz.json', text: `${JSON.stringify(problems, jsonValue, 1)}\n` },
];
