// Posts the height of a frame's page to the page around it.

/**
 * Posts the height now, and whenever it is another one.
 * @param {(height: number) => void} post
 */
export function followHeight(post) {
  let posted = 0;
  /* A height that differs by one pixel may be the page's answer to the last one. */
  const measure = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === 0 || Math.abs(height - posted) <= 1) return;
    posted = height;
    post(height);
  };
  new ResizeObserver(measure).observe(document.documentElement);
}

/** What Canvas, Runestone and other platforms listen for. @param {number} height */
export const frameResize = (height) => ({ subject: 'lti.frameResize', height });
