// Where programs that import from a checkout found it until 1.0.
export * from '../../js/number/read.js';
