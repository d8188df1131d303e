// The page: the lessons, and the chapters that they lead to.
import { chapters } from '#capabilities';
import { message, text } from './app/locale/text.js';
import { App } from './app/shell/app.js';
import { LEARN } from './app/state/store.js';

App.pages = [{ name: LEARN, load: () => import('./player/chapter.js') }, ...chapters];

customElements.define('gf-app', App);

/* A browser says which address did not come, in its own language. */
addEventListener('vite:preloadError', (/** @type {any} */ { payload }) => {
  payload.message = text('page/notLoaded');
});

/* What nobody expected is told, too: a lesson from elsewhere may ask for what is not there. */
for (const type of ['error', 'unhandledrejection']) {
  addEventListener(type, (/** @type {any} */ { error, reason = error }) => {
    const app = /** @type {App} */ (document.querySelector('gf-app'));
    if (reason) app.say({ text: message(reason) });
  });
}
