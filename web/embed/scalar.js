// In place of the core without SIMD: figures carry one build of it.
export const packed = {
  get size() {
    throw new Error('this browser lacks WebAssembly SIMD, which any current one has');
  },
};
