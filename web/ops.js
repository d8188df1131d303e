// The page's door to the files of the ops: what each says of itself.
export { codes } from '../bindings/generated/ops.js';
