// The reader's door to what tells step by step how a tokenizer cuts a text.
export { cutterOfFile, cutterOfLists } from '../../../bindings/models/formats/cutting.js';
