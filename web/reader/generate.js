// The page's door to what a model writes, token by token.
export { generateTokens } from '../../bindings/text/generate.js';
