// Offline after the first load: a service worker fetches what the page may still need.

/** ms without anything that is loaded after which a page has what it needs. */
const QUIET = 1000;

/** Resolves once the page has what it needs. @returns {Promise<void>} */
const loaded = () =>
  new Promise((done) => {
    const end = () => {
      observer.disconnect();
      done();
    };
    let timer = setTimeout(end, QUIET);
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(end, QUIET);
    });
    observer.observe({ type: 'resource' });
  });

/** Begins to keep the page; where a browser or an address does not allow it, the page works without. */
export async function keepOffline() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    // What the worker fetches would delay the page's first picture; and Chromium drops the message below for good while
    // an older worker still answers.
    await loaded();
    const registration = await serviceWorker.register('./offline.js');
    // The first worker waits only for a moment, and there is no older page.
    if (!registration.waiting || !registration.active) return;
    // A newer build came while an older page was open. Once it may take over, this page is of the past.
    serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    registration.waiting.postMessage('succeed');
  } catch {}
}
