// What the reader imports from the bindings; reading files needs no core.
export { refusing } from '../../../bindings/js/base/errors.js';
export { parse } from '../../../bindings/js/base/file.js';
export { readModel } from '../../../bindings/js/model/file.js';
export { byteCharacters } from '../../../bindings/models/formats/token-lists.js';
export { openTokenizer } from '../../../bindings/models/formats/tokenizer.js';
