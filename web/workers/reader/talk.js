// The reader's door to chats: what a model reads of one, and text from its tokens as they come.
export { fitted } from '../../../bindings/models/text/fit.js';
export { Writer } from '../../../bindings/models/text/writer.js';
