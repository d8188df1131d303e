// The page's door to chats with a model: the model is here, its tokenizer and template in the reader's worker.
export { writeTokens } from '../../../bindings/models/text/generate.js';
export { Session } from '../../../bindings/models/text/session.js';
