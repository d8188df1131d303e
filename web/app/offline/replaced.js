// A page that stays open while its site is replaced by another build: what it did not load yet is no longer there.

/** The file that this page began with; every build has another name for it. */
const entry = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';

/** Whether its address leads to another build by now; false where nobody answers. */
export async function isReplaced() {
  try {
    const response = await fetch(location.href, { cache: 'no-store' });
    const page = response.ok ? await response.text() : '';
    /* Something else may answer in its place, such as a sign-in page. */
    return page.includes('<gf-app>') && !page.includes(entry);
  } catch {
    return false;
  }
}

/** Calls back whenever a part of the page did not come: a module, or what a worker needs.
 * @param {() => void} listener */
export function onMissing(listener) {
  addEventListener('vite:preloadError', listener);
  addEventListener('gf-missing', listener);
}
