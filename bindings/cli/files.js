// Writes files, each of them whole: a new file beside the old one is written, flushed and checked, and then takes its
// name. Whatever goes wrong before that, the old file is as it was.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkArray, checkText } from '../js/base/errors.js';
import { Failure, reasonOf } from './usage.js';

const [writeTo, flush, openFor] = [promisify(fs.write), promisify(fs.fsync), promisify(fs.open)];

/** Bytes that are written at once: between two pieces a signal is heard. */
const PIECE_BYTES = 2 ** 22;

/** What file systems answer that cannot flush. */
const NO_FLUSH = ['EINVAL', 'ENOTSUP', 'ENOSYS'];

const ENDS = /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT']);

/** Removes what is unfinished, newest last. @type {Set<() => void>} */
const unfinished = new Set();

/** Removes every unfinished file. */
function clean() {
  for (const remove of [...unfinished].reverse()) remove();
}

/** Ends the process by a signal, as if nobody listened for it, and leaves no unfinished file.
 * @param {'SIGTERM' | 'SIGHUP' | 'SIGINT'} signal */
export function quit(signal) {
  clean();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** @param {'SIGTERM' | 'SIGHUP' | 'SIGINT'} signal */
function ended(signal) {
  /* Whoever else listens decides when the process ends. */
  if (process.listenerCount(signal) === 1) quit(signal);
}

/** Remembers what is to be removed if the process ends before it is finished.
 * @param {() => void} remove
 * @returns {() => void} forgets it again */
function guard(remove) {
  if (unfinished.size === 0) {
    for (const signal of ENDS) process.on(signal, ended);
    process.on('exit', clean);
  }
  unfinished.add(remove);
  return () => {
    if (!unfinished.delete(remove) || unfinished.size > 0) return;
    for (const signal of ENDS) process.off(signal, ended);
    process.off('exit', clean);
  };
}

/** Writes all bytes, however many the system takes at a time.
 * @param {number} fd @param {Uint8Array} bytes @param {AbortSignal} [signal] */
export async function writeFully(fd, bytes, signal) {
  for (let done = 0; done < bytes.length; ) {
    signal?.throwIfAborted();
    const piece = Math.min(PIECE_BYTES, bytes.length - done);
    const { bytesWritten } = await writeTo(fd, bytes, done, piece, null);
    if (bytesWritten === 0) throw new Failure('it takes no more bytes');
    done += bytesWritten;
  }
}

/** The file that a name leads to through symbolic links, even if the last one leads to nothing yet.
 * @param {string} name
 * @returns {string} */
function targetOf(name) {
  try {
    return fs.realpathSync(name);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  const place = path.join(fs.realpathSync(path.dirname(name)), path.basename(name));
  const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? targetOf(path.resolve(path.dirname(place), fs.readlinkSync(place))) : place;
}

/** Whether two names lead to one file. @param {string} a @param {string} b */
export function areSame(a, b) {
  try {
    return targetOf(a) === targetOf(b);
  } catch {
    return false;
  }
}

/** Where a file goes. A device or a pipe has no `target` that could be replaced: it is written as it is.
 * @typedef {{ target?: string, stats?: { mode: number, uid: number, gid: number, size: number } }} Place */

/** Refuses a place that cannot be written, or whose file is not to be replaced.
 * @param {string} file @param {boolean} force
 * @returns {Place} */
export function checkPlace(file, force) {
  try {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory() || /[\\/]$/.test(file))
      throw new Failure(`cannot write ${file}: it is a folder`);
    if (stats && !stats.isFile()) return {};
    if (stats?.size && !force) {
      throw new Failure(`cannot write ${file}: it exists. Pass --force to replace it`);
    }
    const target = targetOf(file);
    if (stats) fs.accessSync(target, fs.constants.W_OK);
    fs.accessSync(path.dirname(target), fs.constants.W_OK);
    return { target, stats };
  } catch (error) {
    throw error instanceof Failure ? error : reasonOf(`cannot write ${file}`, error);
  }
}

/** Refuses a folder that cannot be made or written. @param {string} folder */
export function checkFolder(folder) {
  try {
    let place = path.resolve(folder);
    while (!fs.statSync(place, { throwIfNoEntry: false })) place = path.dirname(place);
    fs.readdirSync(place);
    fs.accessSync(place, fs.constants.W_OK);
  } catch (error) {
    throw reasonOf(`cannot write ${folder}`, error);
  }
}

/** A file that is being written. */
export class Draft {
  #file;
  #signal;
  #fd = -1;
  #bytes = 0;
  /** What takes the name of the target; null where the target is written as it is.
   * @type {{ part: string, target: string } | null} */
  #names = null;
  #forget = () => {};

  /** @param {string} file @param {AbortSignal} [signal] */
  constructor(file, signal) {
    this.#file = file;
    this.#signal = signal;
  }

  /** Begins a file. One that exists is replaced by force alone, unless it is empty.
   * @param {string} file @param {{ force?: boolean, signal?: AbortSignal }} [options] */
  static async open(file, { force = false, signal } = {}) {
    const { target, stats } = checkPlace(file, force);
    const draft = new Draft(file, signal);
    await draft.#try(async () => {
      if (target === undefined) draft.#fd = await openFor(file, 'w');
      else draft.#begin(target, stats);
    });
    return draft;
  }

  /** @param {string} target @param {Place['stats']} [stats] of the file that is replaced */
  #begin(target, stats) {
    const part = path.join(
      path.dirname(target),
      `.glassformer-${randomBytes(8).toString('hex')}.tmp`,
    );
    this.#names = { part, target };
    this.#forget = guard(() => fs.rmSync(part, { force: true }));
    /* Nobody else reads a private file, not even before it has its permissions. */
    this.#fd = fs.openSync(part, 'wx', stats ? 0o600 : 0o666);
    if (!stats) return;
    const now = fs.fstatSync(this.#fd);
    try {
      if (now.uid !== stats.uid || now.gid !== stats.gid)
        fs.fchownSync(this.#fd, stats.uid, stats.gid);
    } catch {
      /* Only root gives files away. */
    }
    fs.fchmodSync(this.#fd, stats.mode & 0o7777);
  }

  /** @param {string | Uint8Array} content */
  write(content) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#bytes += bytes.length;
    return this.#try(() => writeFully(this.#fd, bytes, this.#signal));
  }

  /** Nothing more is to be written: sees to it that all is on the disk. */
  finish() {
    return this.#try(async () => {
      if (this.#names) {
        await flush(this.#fd).catch((error) => {
          if (!NO_FLUSH.includes(error.code)) throw error;
        });
        const { size } = fs.fstatSync(this.#fd);
        if (size !== this.#bytes)
          throw new Failure(`it has ${size} bytes in place of ${this.#bytes}`);
      }
      this.#close();
      this.#signal?.throwIfAborted();
    });
  }

  /** Gives the finished file its name. */
  rename() {
    if (!this.#names) return;
    const { part, target } = this.#names;
    try {
      fs.renameSync(part, target);
    } catch (error) {
      throw reasonOf(`cannot write ${this.#file}`, error);
    }
    this.#names = null;
    this.#forget();
    try {
      const folder = fs.openSync(path.dirname(target), 'r');
      fs.fsyncSync(folder);
      fs.closeSync(folder);
    } catch {
      /* The file is there; not every system can flush a folder. */
    }
  }

  /** Finishes the file, and gives it its name. */
  async keep() {
    await this.finish();
    this.rename();
  }

  /** Leaves the old file as it was. Nothing happens to a file that was kept. */
  drop() {
    try {
      this.#close();
    } catch {
      /* It goes away as it is. */
    }
    if (this.#names) fs.rmSync(this.#names.part, { force: true });
    this.#names = null;
    this.#forget();
  }

  #close() {
    const fd = this.#fd;
    this.#fd = -1;
    if (fd >= 0) fs.closeSync(fd);
  }

  /** Does a part of the work; what goes wrong ends it, and is told with the file's name.
   * @param {() => Promise<void>} work */
  async #try(work) {
    try {
      await work();
    } catch (error) {
      this.drop();
      if (this.#signal?.aborted && error === this.#signal.reason) throw error;
      throw reasonOf(`cannot write ${this.#file}`, error);
    }
  }
}

/** Makes a folder; gives what takes it away again while it is empty, with those around it that were made, too.
 * @param {string} folder */
function makeFolder(folder) {
  /** @type {string | undefined} */
  let first;
  try {
    first = fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw reasonOf(`cannot write ${folder}`, error);
  }
  const outside = first === undefined ? path.resolve(folder) : path.dirname(path.resolve(first));
  const remove = () => {
    try {
      for (let one = path.resolve(folder); one !== outside; one = path.dirname(one)) {
        fs.rmdirSync(one);
      }
    } catch {
      /* Somebody has put something into it. */
    }
  };
  return { remove, forget: guard(remove) };
}

/** Whether a file has this content already. @param {string} file @param {string | Uint8Array} content */
function has(file, content) {
  const bytes = Buffer.from(content);
  try {
    const stats = fs.statSync(file);
    return stats.isFile() && stats.size === bytes.length && fs.readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

/** @param {unknown} files */
function checkFiles(files) {
  checkArray('writeFiles: files', files);
  for (const [i, file] of files.entries()) {
    checkArray(`writeFiles: files[${i}]`, file);
    const [name, content] = file;
    checkText(`writeFiles: files[${i}][0]`, name);
    if (!(content instanceof Uint8Array)) checkText(`writeFiles: files[${i}][1]`, content);
  }
}

/** Writes files that belong together: all of them, or none. A file that exists is replaced by `force` alone, unless it
 * is empty or has this content already. Each is written beside its place under a name of its own, flushed and checked;
 * only then all of them get their names. If a file cannot be written, those that were there are as they were. Links
 * stay links, and permissions are kept.
 * @param {readonly (readonly [file: string, content: string | Uint8Array])[]} files
 * @param {{ force?: boolean, folder?: string, signal?: AbortSignal }} [options] folder: is made if it is missing
 * @returns {Promise<void>}
 * @example
 * import { writeFiles } from 'glassformer/cli';
 *
 * await writeFiles([['build/loss.csv', 'step,loss\n1,0.5\n']], { folder: 'build', force: true }); */
export async function writeFiles(files, { force = false, folder, signal } = {}) {
  checkFiles(files);
  const made = folder === undefined ? undefined : makeFolder(folder);
  /** @type {{ file: string, draft: Draft }[]} */
  const drafts = [];
  let kept = 0;
  try {
    for (const [file, content] of files) {
      if (has(file, content)) continue;
      const draft = await Draft.open(file, { force, signal });
      drafts.push({ file, draft });
      await draft.write(content);
      await draft.finish();
    }
    for (const { draft } of drafts) {
      draft.rename();
      kept += 1;
    }
  } catch (error) {
    for (const { draft } of drafts) draft.drop();
    made?.remove();
    if (kept === 0) throw error;
    const written = drafts.slice(0, kept).map(({ file }) => file);
    throw new Failure(
      `${/** @type {Error} */ (error).message}. These were written before: ${written.join(', ')}`,
    );
  } finally {
    made?.forget();
  }
}
