// Where the bytes of a file come from: memory, a Blob, a Response, an address, a file of Node. Whoever reads goes
// forward; a stream that has gone past is opened again, where it can be.

import { isDetached } from '../../js/base/errors.js';
import { message, refusing, typeError } from '../../js/formats/texts.js';

/** What a file can be read from: bytes, a Blob or File, a Response, an address, or in Node a path or a FileHandle.
 * @typedef {ArrayBuffer | Uint8Array | Blob | Response | URL | string | Handle} FileLike */

/** What is used of Node's FileHandle.
 * @typedef {object} Handle
 * @property {(buffer: Uint8Array, offset: number, length: number, position: number)
 *   => Promise<{ bytesRead: number }>} read fills the buffer from `offset` on with bytes of the file, from `position` on
 * @property {() => Promise<{ size: number }>} stat tells the size in bytes */

/**
 * @typedef {object} Source
 * @property {string} name the last part of its address or path; '' if it has none
 * @property {number} size in bytes; Infinity where nobody says
 * @property {(begin: number, end: number, room?: Uint8Array) => Promise<Uint8Array>} read these bytes; fewer at the end of
 *   the file. In `room`, if there is one and it is large enough, until it is given again
 * @property {() => Promise<void>} close gives back what is open; a later read opens it again */

/** An owner and a name, as the Hub of Hugging Face has them; a path may look alike. */
const NAME_OF_HUB = /^[\w-][\w.-]*\/[\w.-]+(?<!\.\w+)$/;
/** A gap of so many bytes is read over: another request costs more. */
const MAX_GAP_BYTES = 2 ** 20;
const EMPTY = new Uint8Array(0);

/** Node's files, without an import that bundlers would follow.
 * @type {any} */
const files = /** @type {any} */ (globalThis).process?.getBuiltinModule?.('node:fs/promises');

/** @param {string} name */
const refuse = (name) => refusing(name || 'file');

/** The name in an address or a path, which alone may have ? or # in it.
 * @param {string | URL} address */
export const lastPart = (address) =>
  String(address)
    .replace(/^([a-z][a-z\d+.-]+:.*?)[?#].*$/is, '$1')
    .replace(/^.*[/\\]/s, '')
    .slice(0, 100);

/** @param {Uint8Array} bytes @returns {Source} */
const ofBytes = (bytes) => ({
  name: '',
  size: bytes.length,
  read: async (begin, end) => bytes.subarray(begin, end),
  close: async () => {},
});

/** @param {Blob} blob @returns {Source} */
const ofBlob = (blob) => ({
  name: lastPart(/** @type {File} */ (blob).name ?? ''),
  size: blob.size,
  read: async (begin, end) => new Uint8Array(await blob.slice(begin, end).arrayBuffer()),
  close: async () => {},
});

/** @param {number} count @param {Uint8Array} [room] */
const roomFor = (count, room) =>
  room && room.length >= count ? room.subarray(0, count) : new Uint8Array(count);

/** @param {Handle} handle @param {number} begin @param {number} end @param {Uint8Array} [room] */
async function readHandle(handle, begin, end, room) {
  const bytes = roomFor(end - begin, room);
  let length = 0;
  while (length < bytes.length) {
    const rest = bytes.length - length;
    const { bytesRead } = await handle.read(bytes, length, rest, begin + length);
    if (!bytesRead) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** @param {Handle} handle @returns {Promise<Source>} */
const ofHandle = async (handle) => ({
  name: '',
  size: (await handle.stat()).size,
  read: (begin, end, room) => readHandle(handle, begin, end, room),
  close: async () => {},
});

/** The names of the files in a folder; null if it is none.
 * @param {string | URL} path
 * @returns {Promise<string[] | null>} */
export const listFolder = (path) =>
  files.readdir(path).catch((/** @type {{ code?: string, message: string }} */ error) => {
    if (error.code === 'ENOTDIR') return null;
    const hint = NAME_OF_HUB.test(String(path)) ? message('noDownload', {}) : undefined;
    return refuse(lastPart(path))('notOpened', { reason: error.message, hint });
  });

/** @param {string | URL} path @returns {Promise<Source>} */
async function ofPath(path) {
  /** @type {any} */
  let handle;
  const name = lastPart(path);
  const open = async () => {
    handle ??= await files.open(path).catch((/** @type {Error} */ error) => {
      refuse(name)('notOpened', { reason: error.message });
    });
    return handle;
  };
  const stats = await (await open()).stat();
  if (stats.isDirectory()) {
    await handle.close();
    const file = `${String(path).replace(/[/\\]$/, '')}/model.safetensors`;
    refuse(name)('notOpened', { reason: `it is a folder: name a file, such as ${file}` });
  }
  return {
    name,
    size: stats.size,
    read: async (begin, end, room) => readHandle(await open(), begin, end, room),
    async close() {
      await handle?.close();
      handle = undefined;
    },
  };
}

/** What a stream is opened as: from which byte on, and how many the whole file has.
 * @typedef {{ body: ReadableStream<Uint8Array> | null, at: number, size: number }} Opened */

/** A file that comes as a stream. */
class Streamed {
  #open;
  #signal;
  /** @type {ReadableStreamDefaultReader<Uint8Array> | undefined} */
  #reader;
  #offset = 0;
  /** @type {Uint8Array} */
  #rest = EMPTY;
  /** What was read last: so far back it can go. @type {Uint8Array} */
  #last = EMPTY;
  /** Ends to listen to the signal. */
  #release = () => {};

  /** @param {string} name @param {(at: number, signal: AbortSignal) => Promise<Opened>} open @param {AbortSignal} [signal] */
  constructor(name, open, signal) {
    this.name = name;
    this.size = Number.POSITIVE_INFINITY;
    this.#open = open;
    this.#signal = signal;
  }

  /** @param {number} begin @param {number} end @param {Uint8Array} [room] */
  async read(begin, end, room) {
    this.#back(begin);
    if (!this.#reader || begin < this.#offset || begin > this.#offset + MAX_GAP_BYTES)
      await this.#begin(begin);
    await this.#take(begin - this.#offset, () => {});
    const bytes = roomFor(end - begin, room);
    let length = 0;
    await this.#take(bytes.length, (part) => {
      bytes.set(part, length);
      length += part.length;
    });
    this.#last = bytes.subarray(0, length);
    return this.#last;
  }

  /** @param {number} begin */
  #back(begin) {
    const first = this.#offset - this.#last.length;
    if (begin < first || begin >= this.#offset) return;
    const again = this.#last.subarray(begin - first);
    const rest = new Uint8Array(again.length + this.#rest.length);
    rest.set(again);
    rest.set(this.#rest, again.length);
    this.#rest = rest;
    this.#offset = begin;
  }

  /** @param {number} offset */
  async #begin(offset) {
    await this.close();
    const signal = this.#signal;
    const request = new AbortController();
    const stop = () => {
      request.abort(signal?.reason);
      this.#reader?.cancel().catch(() => {});
    };
    signal?.addEventListener('abort', stop, { once: true });
    this.#release = () => signal?.removeEventListener('abort', stop);
    if (signal?.aborted) stop();
    const opened = await this.#open(offset, request.signal).catch((error) => {
      this.#release();
      throw error;
    });
    this.#reader = (opened.body ?? new Blob([]).stream()).getReader();
    if (signal?.aborted) stop();
    this.#offset = opened.at;
    this.size = opened.size;
  }

  /** The next bytes in the parts in which they come.
   * @param {number} count @param {(part: Uint8Array) => void} use */
  async #take(count, use) {
    for (let left = count; left > 0; ) {
      if (!this.#rest.length) {
        const reader = /** @type {ReadableStreamDefaultReader<Uint8Array>} */ (this.#reader);
        const { done, value } = await reader.read().catch((error) => {
          return refuse(this.name)('brokeOff', {
            at: this.#offset,
            reason: String(error?.message),
          });
        });
        if (done) {
          this.#release();
          return;
        }
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, left);
      use(part);
      this.#rest = this.#rest.subarray(part.length);
      this.#offset += part.length;
      left -= part.length;
    }
    if (this.#offset >= this.size) this.#release();
  }

  async close() {
    this.#release();
    const reader = this.#reader;
    this.#reader = undefined;
    this.#rest = EMPTY;
    this.#last = EMPTY;
    await reader?.cancel().catch(() => {});
  }
}

/** @param {Response} response @param {string} name */
function checkAnswer(response, name) {
  if (!response.ok) refuse(name)('serverStatus', { status: response.status });
}

/** @param {Response} response @param {number} offset where it begins */
function sizeOf({ headers }, offset) {
  const length = headers.get('content-encoding') ? null : headers.get('content-length');
  return length === null ? Number.POSITIVE_INFINITY : offset + Number(length);
}

/** @param {Response} response @param {AbortSignal} [signal] @returns {Source} */
function ofResponse(response, signal) {
  const name = lastPart(response.url);
  checkAnswer(response, name);
  let isRead = response.bodyUsed;
  const source = new Streamed(
    name,
    async () => {
      if (isRead) refuse(name)('readOnce', {});
      isRead = true;
      return { body: response.body, at: 0, size: sizeOf(response, 0) };
    },
    signal,
  );
  /* Nobody could open it again. */
  return {
    name,
    get size() {
      return source.size;
    },
    read: (begin, end, room) => source.read(begin, end, room),
    close: async () => {},
  };
}

/** @param {string | URL} address @param {AbortSignal} [signal] @returns {Source} */
function ofAddress(address, signal) {
  const name = lastPart(address);
  return new Streamed(
    name,
    async (begin, request) => {
      const headers = begin ? { range: `bytes=${begin}-` } : undefined;
      const response = await fetch(address, { headers, signal: request }).catch((error) =>
        refuse(name)('notOpened', { reason: error.message }),
      );
      checkAnswer(response, name);
      /* A server that knows no ranges sends the whole. */
      const offset = response.status === 206 ? begin : 0;
      return { body: response.body, at: offset, size: sizeOf(response, offset) };
    },
    signal,
  );
}

/** @param {unknown} value
 * @returns {value is Handle} */
const isHandle = (value) =>
  typeof Object(value).read === 'function' && typeof Object(value).stat === 'function';

/** The address or path of a file in the same folder.
 * @template {string | URL} T
 * @param {T} file @param {string} name
 * @returns {T} */
export const besides = (file, name) =>
  /** @type {T} */ (file instanceof URL ? new URL(name, file) : file.replace(/[^/\\]*$/s, name));

/** Whether it is a path here, and not an address.
 * @param {string | URL} address */
export function isPath(address) {
  if (!files) return false;
  return address instanceof URL
    ? address.protocol === 'file:'
    : !/^(https?|blob|data):/i.test(address);
}

/** Opens what a file is read from.
 * @param {string} where @param {unknown} file @param {AbortSignal} [signal]
 * @returns {Promise<Source>} */
export async function openSource(where, file, signal) {
  if (file instanceof ArrayBuffer && !isDetached(file)) return ofBytes(new Uint8Array(file));
  if (file instanceof Uint8Array && !isDetached(file)) {
    /* Not a subclass: the slice of Node's Buffer copies nothing. */
    return ofBytes(new Uint8Array(file.buffer, file.byteOffset, file.length));
  }
  if (file instanceof Blob) return ofBlob(file);
  if (file instanceof Response) return ofResponse(file, signal);
  if ((typeof file === 'string' && file) || file instanceof URL) {
    return isPath(file) ? ofPath(file) : ofAddress(file, signal);
  }
  if (isHandle(file)) return ofHandle(file);
  throw typeError('fileLike', { where, given: file });
}

const PIECE_BYTES = 2 ** 20;

/** The whole file, however long it is: an address may tell its length only once it is read, or never.
 * @param {Source} source
 * @returns {Promise<Uint8Array>} */
export async function readWhole(source) {
  const first = await source.read(0, 1);
  if (Number.isFinite(source.size)) return source.read(0, source.size);
  const pieces = [first.slice()];
  let size = first.length;
  for (;;) {
    const piece = await source.read(size, size + PIECE_BYTES);
    if (!piece.length) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    pieces.push(piece.slice());
    size += piece.length;
  }
}

/** These bytes, all of them.
 * @param {Source} source @param {number} begin @param {number} end @param {Uint8Array} [room]
 * @returns {Promise<Uint8Array>} */
export async function readExactly(source, begin, end, room) {
  const bytes = await source.read(begin, end, room);
  if (bytes.length < end - begin) {
    refuse(source.name)('endsEarly', { at: begin + bytes.length, end });
  }
  return bytes;
}
