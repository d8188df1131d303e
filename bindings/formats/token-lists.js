// Where programs that import from a checkout found it until 1.0.
export * from '../models/formats/token-lists.js';
