// How high a frame's page is, for the page around it.

/**
 * Tells the height now, and whenever it is another one.
 * @param {(height: number) => void} tell
 */
export function followHeight(tell) {
  let told = 0;
  /* A height that differs by one pixel may be the answer to the last one: it is not told. */
  const measure = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === 0 || Math.abs(height - told) <= 1) return;
    told = height;
    tell(height);
  };
  new ResizeObserver(measure).observe(document.documentElement);
}

/** What Canvas, Runestone and other platforms listen for. @param {number} height */
export const frameResize = (height) => ({ subject: 'lti.frameResize', height });
