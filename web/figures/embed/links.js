// Links in the prose of a page that control its figures: <a href="#fig1" data-gf-at="scores/1">. Without the
// script they lead to the figure.
import { Exhibit } from './figure-element.js';
import { VERSION } from './protocol.js';

/** @param {MouseEvent} event */
function followed(event) {
  if (event.defaultPrevented || event.button > 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const target = /** @type {Element} */ (event.composedPath()[0]);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest?.('a[data-gf-at]'));
  const figure = link?.hash && document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (!link || !figure) return;
  const place = link.dataset.gfAt ?? '';
  if (figure instanceof Exhibit) figure.visit(place);
  else if (figure instanceof HTMLIFrameElement) {
    // A sandboxed frame has no origin to name; there is nothing secret in a place.
    figure.contentWindow?.postMessage({ glassformer: VERSION, type: 'seek', at: place }, '*');
  } else return;
  event.preventDefault();
  figure.scrollIntoView({ block: 'nearest' });
}

export const followLinks = () => document.addEventListener('click', followed);
