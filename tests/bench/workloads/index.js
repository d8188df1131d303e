// All workloads, in the order of the table.

import { matmul } from './matmul.js';

export const workloads = [...matmul];
