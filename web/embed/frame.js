// What runs in embed.html: one figure, as the frame's address asks for it, that says how high it is and does
// what the page around it asks.
import './figures.js';
import { idOf, questionOf, VERSION } from './protocol.js';

/** Parts of the address that are not the figure's state, but what is shown of it. */
const OWN = ['show', 'lock', 'at', 'theme', 'lang', 'origin'];

/** @typedef {import('./exhibit.js').Exhibit} Exhibit */

const figure = /** @type {Exhibit} */ (document.createElement('gf-attention'));
/** Whom this frame talks to; anybody, where the address does not say. */
let partner = '*';

/** Reads the address. */
function follow() {
  /** @type {Record<string, string>} */
  const own = Object.fromEntries(OWN.map((name) => [name, '']));
  const state = location.hash
    .slice(1)
    .split('&')
    .filter((pair) => {
      const [name, value = ''] = pair.split(/=(.*)/s);
      if (!OWN.includes(name)) return true;
      own[name] = readable(value);
      return false;
    });
  const { origin, ...attributes } = own;
  partner = origin || '*';
  Object.assign(figure, attributes, { state: state.length > 0 ? `#${state.join('&')}` : '' });
}

/** @param {string} text */
function readable(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// ---- Out ----

/** @param {string} type @param {Record<string, unknown>} [what] */
function tell(type, what = {}) {
  if (parent !== window) parent.postMessage({ glassformer: VERSION, type, ...what }, partner);
}

let told = 0;

/** A height that differs by one pixel may be the answer to the last one: it is not told. */
function measure() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  if (height === 0 || Math.abs(height - told) <= 1) return;
  told = height;
  tell('resize', { height });
  // What Canvas and other learning platforms listen for.
  if (parent !== window) parent.postMessage({ subject: 'lti.frameResize', height }, partner);
}

for (const type of ['ready', 'state', 'error']) {
  figure.addEventListener(`gf-${type}`, (event) =>
    tell(type, /** @type {CustomEvent} */ (event).detail),
  );
}

// ---- In ----

/** What each question does, and what the answer brings. @type {Record<string, (asked: any) => void>} */
const answers = {
  getState: () => {},
  setState: ({ state }) => figure.setState(state),
  play: () => figure.play(),
  pause: () => figure.pause(),
  seek: ({ at }) => figure.seek(at),
  theme: ({ theme }) => {
    figure.theme = theme;
  },
  lang: ({ lang }) => {
    figure.lang = lang;
  },
};

addEventListener('message', ({ data, source, origin }) => {
  if (source !== parent || (partner !== '*' && origin !== partner)) return;
  // What reveal.js says to the frames of a slide that is left.
  if (data === 'slide:stop') figure.pause();
  /** @param {string} type @param {Record<string, unknown>} what */
  const reply = (type, what) => {
    const answer = { glassformer: VERSION, type, id: idOf(data), ...what };
    // An opaque origin has no name to send to.
    /** @type {Window} */ (source).postMessage(answer, origin === 'null' ? '*' : origin);
  };
  try {
    const asked = questionOf(data);
    if (!asked) return;
    answers[asked.type](asked);
    reply('state', { state: figure.getState() });
  } catch (error) {
    reply('error', { message: /** @type {Error} */ (error).message });
  }
});

/* The language is the reader's, where the address names none: this page has none of its own. */
document.documentElement.removeAttribute('lang');
addEventListener('hashchange', follow);
follow();
document.body.append(figure);
new ResizeObserver(measure).observe(document.documentElement);
