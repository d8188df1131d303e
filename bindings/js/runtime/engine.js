// From bytes to a running core: which build, whether it fits, and how text crosses the border.

import { ABI } from '../../generated/layout.js';
import {
  checkBoolean,
  checkOptions,
  failure,
  isDetached,
  message,
  rangeError,
  typeError,
} from '../base/errors.js';
import { Heap } from './heap.js';
import { opTable } from './ops.js';

/** A module whose one function calls i32x4.splat and f32x4.sqrt: valid where there is SIMD. */
const SIMD_PROBE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, 0x03,
  0x02, 0x01, 0x00, 0x0a, 0x0b, 0x01, 0x09, 0x00, 0x41, 0x00, 0xfd, 0x11, 0xfd, 0xe3, 0x01, 0x0b,
]);

/** The scratch block: a shape or configs in its first part, a name in the rest, which has room for
 * more than the core takes. */
const NAME = 256;
const SCRATCH = NAME + 160;

/** @typedef {Record<string, (...args: number[]) => number>} Functions those of exports.txt */

/** @template {import('../base/errors.js').Detail} D
 * @param {D} detail
 * @param {import('../base/errors.js').Filling<typeof import('../base/texts.js').TEXTS[D]>} params */
const unfit = (detail, params) => failure('GF_EMODULE', detail, { ...params, where: 'load' });

/** One instance of the core, with its memory. */
export class Engine {
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  #scratch;
  /** @type {Map<string, readonly string[]>} */
  #words = new Map();
  /** What load() gives beside the functions: the threads of a core, its label.
   * @type {object} */
  beside = {};

  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.core = /** @type {Functions} */ (/** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    /** @type {number} */
    const base = /** @type {WebAssembly.Global} */ (exports.__heap_base).value;
    this.#scratch = base;
    this.heap = new Heap(this.memory, base + SCRATCH);
    /** The op table. */
    this.ops = opTable(this);
  }

  /** How many threads compute now, with the one that calls. */
  get threads() {
    const { threads } = /** @type {{ threads?: { count: number } }} */ (this.beside);
    return threads?.count ?? 1;
  }

  /** The text at an address of the core, which ends with a zero.
   * @param {number} address */
  text(address) {
    const bytes = new Uint8Array(this.memory.buffer);
    const start = address >>> 0;
    return this.#decoder.decode(bytes.slice(start, bytes.indexOf(0, start)));
  }

  /** The core's words of one kind, by their numbers: 'role', 'axis', ... The first, for none, is empty.
   * @param {string} kind */
  words(kind) {
    let words = this.#words.get(kind);
    if (!words) {
      const all = [];
      const nameOf = this.core[`gf_${kind}_name`];
      for (let i = 0, address = nameOf(0); address; address = nameOf(++i))
        all.push(this.text(address));
      words = Object.freeze(all);
      this.#words.set(kind, words);
    }
    return words;
  }

  /** The address of a copy of the name, until the next call; refuses what is no name.
   * @param {string} where @param {unknown} name */
  name(where, name) {
    if (typeof name !== 'string') throw typeError('name', { where, given: name });
    /* A name too long for the scratch is cut, and still too long for the core, which refuses it. Browsers encode
     * into no memory that is shared. */
    const room = new Uint8Array(this.memory.buffer, this.#scratch + NAME, SCRATCH - NAME);
    const text = this.#encoder.encode(name).subarray(0, room.length - 1);
    if (text.includes(0)) throw rangeError('zeroCharacter', { where, given: name });
    room.set(text);
    room[text.length] = 0;
    return this.#scratch + NAME;
  }

  /** The address of a copy of the integers, 48 at most, until the next call.
   * @param {ArrayLike<number>} integers */
  integers(integers) {
    new Int32Array(this.memory.buffer, this.#scratch).set(integers);
    return this.#scratch;
  }

  /** The addresses of copies of floats, 8 at most, and of 16 integers at most, until the next call.
   * @param {ArrayLike<number>} floats of 8 bytes @param {ArrayLike<number>} integers
   * @returns {[number, number]} */
  numbers(floats, integers) {
    const { buffer } = this.memory;
    new Float64Array(buffer, this.#scratch).set(floats);
    new Int32Array(buffer, this.#scratch + 64).set(integers);
    return [this.#scratch, this.#scratch + 64];
  }

  /** The address of a copy of the bytes, until the next call.
   * @param {Uint8Array} bytes */
  bytes(bytes) {
    new Uint8Array(this.memory.buffer, this.#scratch).set(bytes);
    return this.#scratch;
  }

  /** The address of a config of the core: its integers, then its floats.
   * @param {readonly number[]} integers @param {readonly number[]} floats */
  config(integers, floats) {
    const address = this.integers(integers);
    new Float32Array(this.memory.buffer, address + 4 * integers.length).set(floats);
    return address;
  }
}

/** @param {unknown} module
 * @returns {module is BufferSource} */
const isBytes = (module) => module instanceof ArrayBuffer || ArrayBuffer.isView(module);

/** What was given in place of wasm: most often an HTML page that says 404.
 * @param {BufferSource} bytes
 * @returns {import('../base/message.js').Message} */
function begin(bytes) {
  const all = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  if (!all.length) return message('emptyBytes', {});
  const start = new TextDecoder().decode(all.subarray(0, 40));
  const isPage = /^\s*<(!doctype|html)/i.test(start);
  return message(isPage ? 'beginWithPage' : 'beginWith', { start: JSON.stringify(start) });
}

/** The bytes of a module, and the address that they came from, if they came from one.
 * @typedef {{ bytes: BufferSource, from?: string }} Wasm */

/** The core, wherever an entry has it. @typedef {() => Promise<Wasm>} Build */

/** Compiles, or tells why not.
 * @param {Wasm} wasm */
export async function compile({ bytes, from }) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    if (WebAssembly.validate(bytes)) throw unfit('wasmRefused', { reason });
    if (!WebAssembly.validate(SIMD_PROBE)) throw unfit('noSimd', {});
    const problem = { n: bytes.byteLength, begin: begin(bytes), reason };
    throw from ? unfit('notWasmAt', { address: from, ...problem }) : unfit('notWasm', problem);
  }
}

/** @param {unknown} module */
async function moduleFrom(module) {
  if (module instanceof WebAssembly.Module) return module;
  if (isBytes(module) && !isDetached(module)) return compile({ bytes: module });
  throw typeError('module', { where: 'load: module', given: module });
}

/**
 * @typedef {object} LoadOptions
 * @property {boolean} [simd] leave it out: the core needs SIMD, and false is refused
 * @property {WebAssembly.Module | BufferSource} [module] the core itself, as in glassformer/core.wasm
 */

/** Another core than the inlined one: threads(), relaxed() or external() of glassformer/cores. What load() gives has the
 * fields of B, too.
 * @template {object} B
 * @typedef {() => Promise<{ beside: B }>} Core */

/** Options of load() with such a core.
 * @template {object} B
 * @typedef {object} CoreOptions
 * @property {Core<B>} core instead of the inlined one */

/** Compiles, checks and instantiates the core.
 * @param {Build} build what to take if there is no module
 * @param {LoadOptions | CoreOptions<object>} [options]
 * @returns {Promise<Engine>} */
export async function start(build, options = {}) {
  checkOptions('load', options, ['simd', 'module', 'core']);
  const { simd, module, core } = /** @type {LoadOptions & Partial<CoreOptions<object>>} */ (
    options
  );
  if (core !== undefined) {
    if (!core?.call || module) throw typeError('core', { where: 'load: core', given: core });
    const engine = await core();
    if (engine instanceof Engine) return engine;
    throw typeError('core', { where: 'load: core', given: core });
  }
  if (simd !== undefined) checkBoolean('load: simd', simd);
  if (simd === false) throw rangeError('noScalar', { where: 'load: simd' });
  const compiled = module === undefined ? await compile(await build()) : await moduleFrom(module);
  const names = WebAssembly.Module.exports(compiled).map((entry) => entry.name);
  if (!names.includes('gf_abi') || WebAssembly.Module.imports(compiled).length) {
    throw unfit('otherModule', { names: names.slice(0, 5).join(', ') });
  }
  const { exports } = await WebAssembly.instantiate(compiled);
  const abi = /** @type {() => number} */ (exports.gf_abi)();
  if (abi !== ABI) throw unfit('otherAbi', { abi, needed: ABI });
  return new Engine(exports);
}
