// Loads the optional files that are stored next to the figures: the models, the lessons, motion. Each is a script, which
// loads from a file: page and in a sandboxed frame too, where fetch() may not.
import { text } from '../../app/locale/text.js';
import { textsOf } from './columns.js';
import { addStyle } from './styles.js';

/** The usual address of each. A script knows its own address only while it first runs. */
const PLACES = Object.fromEntries(
  Object.entries(import.meta.env.FILES).map(([name, place]) => [name, placed(name, place)]),
);

/** @param {string} name @param {() => URL} place */
function placed(name, place) {
  try {
    return place().href;
  } catch {
    /* A notebook loads scripts from memory, where nothing lies beside them. */
    return new URL(name, document.baseURI).href;
  }
}

let folder = '';

/** @param {string} address of the folder of all files, relative to the page; '' for the usual one */
export function filesAt(address) {
  folder = address && new URL(address.replace(/\/?$/, '/'), document.baseURI).href;
}

/** What is loaded or being loaded, by its address. @type {Map<string, Promise<any>>} */
const cached = new Map();

/**
 * Loads a file.
 * @param {string} name
 * @param {string} [address] by an author, in place of the usual one
 * @returns {Promise<any>} its contents
 */
export function loadFile(name, address = '') {
  const from = address || (folder ? folder + name : PLACES[name]);
  let contents = cached.get(from);
  if (!contents) {
    contents = load(from);
    cached.set(from, contents);
    contents.catch(() => cached.delete(from));
  }
  return contents;
}

/**
 * A model's weights. In the package they are the file that programs read; `glassformer figures` makes a script of it.
 * @param {string} name of the model
 * @param {string} [address] by an author
 * @returns {Promise<Uint8Array>}
 */
export async function weightsOf(name, address = '') {
  const script = `${name}.js`;
  const from = address || (folder ? folder + script : PLACES[name]);
  if (!new URL(from, document.baseURI).pathname.endsWith('.safetensors'))
    return (await loadFile(script, from)).weights;
  const answer = await fetch(from).catch(() => null);
  if (!answer?.ok) throw new Error(text('embed/beside/notThere', { address: from }));
  return new Uint8Array(await answer.arrayBuffer());
}

/** @param {string} from */
function load(from) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      /* The browser does not say why. A frame in a page from a disk is most likely sandboxed. */
      const framed = script.src.startsWith('file:') && parent !== window;
      const why = framed ? 'embed/beside/fromDisk' : 'embed/beside/notThere';
      reject(new Error(text(why, { address: script.src })));
    };
    script.addEventListener('glassformer-file', (event) =>
      resolve(/** @type {CustomEvent} */ (event).detail),
    );
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      fail();
      script.remove();
    });
    script.src = from;
    document.head.append(script);
  });
}

/** What each part of this build exports, the figures themselves among them. @type {Record<string, any>} */
const parts = import.meta.env.PARTS;

/** What a part imports besides the figures. */
const NEEDS = { motion: [], lessons: /** @type {const} */ (['motion']) };

/**
 * A part of this very build, which takes from the figures what it shares with them.
 * @param {keyof typeof NEEDS} name
 * @returns {Promise<any>} what it exports
 */
export async function part(name) {
  const file = `${name}.js`;
  const needed = Promise.all(NEEDS[name].map(part));
  /* An error of this file is reported first. */
  needed.catch(() => {});
  const { build, packed, run } = await loadFile(file);
  if (build !== import.meta.env.BUILD) throw new Error(text('embed/otherVersion', { file }));
  await needed;
  const { styles, texts } = await packed;
  if (!parts[name]) {
    addStyle(styles);
    if (texts) Object.assign(parts.said, textsOf(texts));
    parts[name] = run(parts);
  }
  return parts[name];
}
