// Where programs that import from a checkout found it until 2.0.
export * from '../js/formats/safetensors.js';
