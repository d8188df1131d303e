// Runs in embed.html: shows the figure that the frame's address asks for, posts its height, and does what the page around
// it asks.
import './figures.js';
import { followHeight, frameResize } from './height.js';
import { Inbox } from './inbox.js';
import { VERSION } from './protocol.js';

/** Parts of the address that are not the figure's state, but attributes of it. */
const ATTRIBUTES = ['show', 'lock', 'at', 'theme', 'lang', 'round', 'page', 'fit', 'origin'];

/** @typedef {import('./figure-element.js').Exhibit} Exhibit */

const figure = /** @type {Exhibit} */ (document.createElement('gf-attention'));
/** The origin to which this frame talks: any where the address does not say, none (null) where it names no origin.
 * @type {string | null} */
let partner = '*';

/** Reads the address. */
function follow() {
  /** @type {Record<string, string>} */
  const written = Object.fromEntries(ATTRIBUTES.map((name) => [name, '']));
  const state = location.hash
    .slice(1)
    .split('&')
    .filter((pair) => {
      const [name, value = ''] = pair.split(/=(.*)/s);
      if (!ATTRIBUTES.includes(name)) return true;
      written[name] = readable(value);
      return false;
    });
  const { origin, ...attributes } = written;
  figure.style.height = written.fit ? '100vh' : '';
  partner = partnerOf(origin);
  Object.assign(figure, attributes, { state: state.length > 0 ? `#${state.join('&')}` : '' });
  if (partner === null) figure.complain('embed/badOrigin', { given: origin });
}

/** @param {string} origin as the address has it */
function partnerOf(origin) {
  if (origin === '') return '*';
  try {
    const named = new URL(origin).origin;
    return named === 'null' ? null : named;
  } catch {
    return null;
  }
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

/** @param {Record<string, unknown>} message */
function post(message) {
  if (parent !== window && partner !== null) parent.postMessage(message, partner);
}

/** @param {string} type @param {Record<string, unknown>} [what] */
const tell = (type, what = {}) => post({ glassformer: VERSION, type, ...what });

for (const type of ['ready', 'state', 'progress', 'error']) {
  figure.addEventListener(`gf-${type}`, (event) =>
    tell(type, /** @type {CustomEvent} */ (event).detail),
  );
}

// ---- In ----

/** What each question does. The answer is sent once that is done. @type {Record<string, (asked: any) => unknown>} */
const answers = {
  getState: () => {},
  setState: ({ state }) => figure.setState(state),
  play: () => figure.play(),
  pause: () => figure.pause(),
  seek: ({ at: place }) => figure.seek(place),
  theme: ({ theme }) => {
    figure.theme = theme;
  },
  lang: ({ lang }) => {
    figure.checkLanguage(lang);
    figure.lang = lang;
  },
  round: ({ round }) => {
    figure.round = String(round);
  },
};

const inbox = new Inbox(answers, () => figure.getState());

addEventListener('message', ({ data, source, origin }) => {
  if (source !== parent || partner === null || (partner !== '*' && origin !== partner)) return;
  // A message of reveal.js to the frames of a slide that is no longer shown.
  if (data === 'slide:stop') figure.pause();
  // An opaque origin has no name to send to.
  const to = origin === 'null' ? '*' : origin;
  inbox.put(data, (answer) => /** @type {Window} */ (source).postMessage(answer, to));
});

/* Without a language in the address it is the reader's: this page must not have one. */
document.documentElement.removeAttribute('lang');
addEventListener('hashchange', follow);
document.body.append(figure);
follow();
followHeight((height) => {
  tell('resize', { height });
  post(frameResize(height));
});
