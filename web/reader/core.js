// What the reader imports from the bindings; reading files needs no core.
export { refusing } from '../../bindings/base/errors.js';
export { parse } from '../../bindings/base/file.js';
export { byteCharacters } from '../../bindings/formats/token-lists.js';
export { openTokenizer } from '../../bindings/formats/tokenizer.js';
export { readModel } from '../../bindings/model/file.js';
