// Where a model lies: which of the files there has the weights, and what lies beside them.

import { parse } from '../../js/base/file.js';
import { isObject } from '../../js/base/values.js';
import { besides, isPath, lastPart, listFolder, openSource, readWhole } from '../formats/source.js';
import { isFiles, pathOf, withinFolder } from './files.js';
import { failure, refusing } from './texts.js';

/** @typedef {import('../formats/source.js').FileLike} FileLike */

/** Where a model is: one file, several such as a FileList or an array of them, a folder's path or its address.
 * @typedef {FileLike | Iterable<FileLike> | ArrayLike<FileLike>} ModelSource */

/** The files of a model.
 * @typedef {object} Place
 * @property {FileLike | readonly FileLike[]} weights
 * @property {(name: string, signal?: AbortSignal) => Promise<Uint8Array | null>} read a file beside them, or in a folder there;
 *   null if there is none */

const INDEX = 'model.safetensors.index.json';
/** What Hugging Face calls the weights; else what holds weights, the first that is there. */
const MODEL = 'model.safetensors';
const WEIGHTS = [/\.safetensors\.index\.json$/, /\.safetensors$/, /\.gguf$/];
/** Of llama2.c, and pickles, which are refused by name. */
const OTHERS = /(?<!^tokenizer|^sentencepiece\.bpe)\.(bin|pt)$/;
const PART = /-\d{5}-of-\d{5}\.safetensors$/;

/** Which of the files in a folder have the weights.
 * @param {readonly string[]} files their names */
function weightsAmong(files) {
  if (files.includes(MODEL)) return [MODEL];
  const shown = files.filter((file) => !file.startsWith('.'));
  for (const pattern of [...WEIGHTS, OTHERS]) {
    const fits = shown.filter((file) => pattern.test(file)).sort();
    if (fits.length > 1 && !fits.every((file) => PART.test(file))) {
      throw failure('GF_EFILE', 'severalModels', { where: 'open', names: fits.join(', ') });
    }
    if (fits.length) return fits;
  }
  const names = shown.slice(0, 10).join(', ') || '–';
  throw failure('GF_EFILE', 'noWeights', { where: 'open', names });
}

/** All of a file. @param {FileLike} file @param {AbortSignal} [signal] @returns {Promise<Uint8Array>} */
export async function bytesOf(file, signal) {
  const source = await openSource('open', file, signal);
  try {
    return await readWhole(source);
  } finally {
    await source.close();
  }
}

/** Files by their names, in the folder that holds them all.
 * @param {readonly FileLike[]} files
 * @returns {Place} */
function ofFiles(files) {
  const isFolder = files.every((file) => file instanceof Blob && pathOf(file).includes('/'));
  const paths = files.map(pathOf);
  const titles = isFolder ? withinFolder(paths) : paths.map(lastPart);
  const fileOf = (/** @type {string} */ title) => files[titles.indexOf(title)];
  /* Parts without names are all of them, as openCheckpoint takes them. */
  const isNamed = titles.some((title) => title);
  const chosen = isNamed ? weightsAmong(titles) : [];
  const parts = chosen[0]?.endsWith('.json') ? titles.filter((title) => PART.test(title)) : chosen;
  const weights = isNamed ? parts.map(fileOf) : files;
  return {
    weights: weights.length === 1 ? weights[0] : weights,
    read: async (name, signal) => (titles.includes(name) ? bytesOf(fileOf(name), signal) : null),
  };
}

/** @param {string | URL} path of a file or a folder
 * @returns {Promise<Place>} */
async function ofPath(path) {
  const names = await listFolder(path);
  const inFolder = (/** @type {string} */ name) =>
    path instanceof URL
      ? new URL(`${path.pathname.replace(/\/?$/, '/')}${name}`, path)
      : `${path.replace(/[/\\]$/, '')}/${name}`;
  const weights = names ? weightsAmong(names).map(inFolder) : [path];
  const [first] = weights;
  const all = new Set(names ?? (await listFolder(besides(first, '.'))));
  return {
    weights: weights.length === 1 ? first : weights,
    read: async (file, signal) =>
      all.has(file.replace(/\/.*/s, '')) ? bytesOf(besides(first, file), signal) : null,
  };
}

/** Whether an address is a folder's: with a slash at its end; or with no dot in its last part, and no file there.
 * @param {URL} url @param {AbortSignal} [signal] */
async function isFolder(url, signal) {
  if (url.pathname.endsWith('/')) return true;
  if (/\.[^/]*$/.test(url.pathname)) return false;
  try {
    const source = await openSource('open', url, signal);
    try {
      /* Many servers send the page of a folder. */
      const [first] = await source.read(0, 1);
      return first === '<'.charCodeAt(0);
    } finally {
      await source.close();
    }
  } catch (error) {
    const { detail } = /** @type {{ detail?: string }} */ (error);
    if (detail === 'serverStatus' && !signal?.aborted) return true;
    throw error;
  }
}

/** @param {string | URL} address of a file, or of a folder
 * @param {AbortSignal} [signal]
 * @returns {Promise<Place>} */
async function ofAddress(address, signal) {
  const url = new URL(address, globalThis.location?.href);
  const read = async (/** @type {string} */ name) => {
    const source = await openSource('open', besides(url, name), signal);
    try {
      const bytes = await readWhole(source);
      /* Some servers send a page where there is no file. */
      return bytes[0] === '<'.charCodeAt(0) ? null : bytes;
    } catch (error) {
      const { detail } = /** @type {{ detail?: string }} */ (error);
      if (detail === 'serverStatus' && !signal?.aborted) return null;
      throw error;
    } finally {
      await source.close();
    }
  };
  if (!/^https?:$/.test(url.protocol)) return { weights: address, read: async () => null };
  if (!(await isFolder(url, signal))) return { weights: address, read };
  url.pathname = url.pathname.replace(/\/?$/, '/');
  return { weights: besides(url, (await read(INDEX)) ? INDEX : MODEL), read };
}

/** @param {ModelSource} source @param {AbortSignal} [signal]
 * @returns {Promise<Place>} */
export async function placeOf(source, signal) {
  if (isFiles(source)) return ofFiles(Array.from(source));
  if (typeof source === 'string' || source instanceof URL) {
    if (!isPath(source)) return ofAddress(source, signal);
    /* As import.meta.resolve() gives a path. */
    const isAddress = /^file:/i.test(String(source)) && URL.canParse(source);
    return ofPath(isAddress ? new URL(source) : source);
  }
  /* A Response is read once, and its header before the rest. */
  const file = source instanceof Response && source.ok ? await source.blob() : source;
  return { weights: file, read: async () => null };
}

/** @type {Record<'object' | 'array', (value: unknown) => boolean>} */
const KINDS = { object: isObject, array: Array.isArray };

/** A file beside the weights as JSON; null if there is none.
 * @template {keyof typeof KINDS} [K='object']
 * @param {Place} place @param {string} name @param {AbortSignal} [signal] @param {K} [kind] of what it has to hold
 * @returns {Promise<(K extends 'array' ? unknown[] : Record<string, unknown>) | null>} */
export async function jsonOf(place, name, signal, kind = /** @type {any} */ ('object')) {
  const bytes = await place.read(name, signal);
  if (!bytes) return null;
  const value = parse(name, new TextDecoder().decode(bytes));
  if (KINDS[kind](value)) return /** @type {any} */ (value);
  return /** @type {import('./texts.js').Refuse} */ (refusing(name))(
    /** @type {'object'} */ (kind),
    { given: value },
  );
}
