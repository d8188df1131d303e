// The trained translator for figures in other pages: weights and language, which no other figure needs. It comes by a
// script, which loads from a file: page and in a sandboxed frame too, where fetch() may not.

import { text } from '../locale/text.js';

const NAME = 'french-english.js';

/** Beside the script of the figures, unless an author says otherwise. */
const FILE = beside();

function beside() {
  try {
    return import.meta.env.WEIGHTS().href;
  } catch {
    /* A notebook loads scripts from memory, where nothing lies beside them. */
    return new URL(NAME, document.baseURI).href;
  }
}

/** @typedef {import('../reader/model.js').Trained} Trained */

/** What is under way or there, by its address. @type {Map<string, Promise<Trained>>} */
const asked = new Map();

let address = FILE;

/** @param {string} given relative to the page; beside the script if it is empty */
export function translatorAt(given) {
  address = given || FILE;
}

/**
 * @param {import('../reader/download.js').Listener} listener
 * @returns {Promise<Trained>}
 */
export async function translator({ signal }) {
  const from = address;
  let trained = asked.get(from);
  if (!trained) {
    trained = load(from);
    asked.set(from, trained);
    trained.catch(() => asked.delete(from));
  }
  const loaded = await trained;
  signal?.throwIfAborted();
  return loaded;
}

/**
 * @param {string} from
 * @returns {Promise<Trained>}
 */
function load(from) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      /* The browser does not say why. A frame in a page from a disk is most likely sandboxed. */
      const framed = script.src.startsWith('file:') && parent !== window;
      const why = framed ? 'fromDisk' : 'notThere';
      reject(new Error(text(`embed/weights/${why}`, { address: script.src })));
    };
    const taken = (/** @type {Event} */ event) => {
      resolve(/** @type {CustomEvent} */ (event).detail);
    };
    script.addEventListener('glassformer-model', taken);
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      fail();
      script.remove();
    });
    script.src = from;
    document.head.append(script);
  });
}
