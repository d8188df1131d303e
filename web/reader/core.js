// The reader's door to the bindings: what reads files needs no core.
export { readModel } from '../../bindings/checkpoints/files.js';
export { openTokenizer } from '../../bindings/tokenizer.js';
