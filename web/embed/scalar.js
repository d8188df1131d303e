// Figures carry one build of the core, which needs WebAssembly SIMD.
throw new Error('this browser lacks WebAssembly SIMD, which any current one has');
