// What lies beside the script of the figures, and is loaded only where it is needed: the models, the lessons, what
// moves. Each comes by a script, which loads from a file: page and in a sandboxed frame too, where fetch() may not.
import { text } from '../locale/text.js';
import { addStyle } from './styles.js';

/** @type {Readonly<Record<string, string>>} */
const BESIDE_TEXTS = {
  notThere: 'embed/beside/notThere',
  fromDisk: 'embed/beside/fromDisk',
};

/** Where each lies unless an author says otherwise. A script knows its own place only while it first runs. */
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

/** @param {string} given the folder of all files, relative to the page; where they are usually if it is empty */
export function filesAt(given) {
  folder = given && new URL(given.replace(/\/?$/, '/'), document.baseURI).href;
}

/** What is under way or there, by its address. @type {Map<string, Promise<any>>} */
const asked = new Map();

/**
 * What a file has to give.
 * @param {string} name
 * @param {string} [address] where an author says that it lies
 * @returns {Promise<any>}
 */
export function beside(name, address = '') {
  const from = address || (folder ? folder + name : PLACES[name]);
  let given = asked.get(from);
  if (!given) {
    given = load(from);
    asked.set(from, given);
    given.catch(() => asked.delete(from));
  }
  return given;
}

/** @param {string} from */
function load(from) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      /* The browser does not say why. A frame in a page from a disk is most likely sandboxed. */
      const framed = script.src.startsWith('file:') && parent !== window;
      const why = framed ? 'fromDisk' : 'notThere';
      reject(new Error(text(BESIDE_TEXTS[why], { address: script.src })));
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
  /* What is wrong with this file is told first. */
  needed.catch(() => {});
  const { build, styles, run } = await beside(file);
  if (build !== import.meta.env.BUILD) throw new Error(text('embed/otherVersion', { file }));
  await needed;
  if (!parts[name]) {
    addStyle(styles);
    parts[name] = run(parts);
  }
  return parts[name];
}
