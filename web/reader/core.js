// The reader's door to the bindings: what reads files needs no core.
export { importModel } from '../../bindings/checkpoints/files.js';
export { openTokenizer } from '../../bindings/formats/tokenizer.js';
export { readModel } from '../../bindings/model/file.js';
