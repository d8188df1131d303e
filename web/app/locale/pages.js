// The texts of other languages, as the page loads them: `#pages` in web/package.json.
export { PAGES } from '../../../bindings/generated/pages.js';
