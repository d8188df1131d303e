// The entry for other cores than the inlined one, glassformer/cores, where files are read: Node, Deno, Bun.

export { external } from '../../../js/external/node.js';
export { relaxed } from '../../relaxed/index.js';
export { threads } from '../../threads/node/index.js';
