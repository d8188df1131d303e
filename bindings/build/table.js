// The op table as the build sees it: the names of its rows.
import { readFileSync } from 'node:fs';

export const root = new URL('../../', import.meta.url);

/** The ops, in the order of src/ops.def. */
export const ops = [
  ...readFileSync(new URL('src/ops.def', root), 'utf8').matchAll(/^GF_OP\((\w+),/gm),
].map(([, name]) => name);
