/** The core with SIMD as a compiled module, where imports of WebAssembly give one: load({ module }). */
declare const module: WebAssembly.Module;
export default module;
