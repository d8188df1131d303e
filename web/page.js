// The page: the lessons, and the chapters that they lead to.
import { chapters } from './chapters/index.js';
import { App } from './shell/app.js';
import { LEARN } from './state/store.js';

App.pages = [{ name: LEARN, load: () => import('./teaching/chapter.js') }, ...chapters];

customElements.define('gf-app', App);
