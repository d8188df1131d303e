// Time on a machine that others use too.

import { readFileSync } from 'node:fs';

/** Milliseconds that this thread stood in line for a core: Linux counts them. */
function waited() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Milliseconds, without those in which other programs had the core. */
export const now = () => performance.now() - waited();
