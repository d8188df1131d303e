// All workloads, in the order of the report.

import { attention } from './attention.js';
import { decoding } from './decoding.js';
import { encoderLayer } from './encoder.js';
import { example } from './example.js';
import { exercises } from './exercises.js';
import { memory, time } from './growth.js';
import { language } from './language.js';
import { machine } from './machine.js';
import { matmul } from './matmul.js';
import { relaxed } from './relaxed.js';
import { size } from './size.js';
import { storedWeights } from './stored.js';
import { threads } from './threads.js';
import { training } from './training.js';

export const workloads = [
  ...machine,
  ...matmul,
  ...threads,
  ...relaxed,
  ...attention,
  encoderLayer,
  ...example,
  training,
  decoding,
  ...storedWeights,
  ...language,
  time,
  memory,
  exercises,
  size,
];
