// The reader's door to chats: the template of a model, and text from its tokens as they come.
export { chatPrompt } from '../../../bindings/models/formats/chat.js';
export { Writer } from '../../../bindings/models/text/writer.js';
