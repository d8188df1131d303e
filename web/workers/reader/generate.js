// The page's door to what a model writes, token by token.
export { generateTokens } from '../../../bindings/models/text/generate.js';
