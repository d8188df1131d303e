// What the browser calls the page, and what a link to it says of itself.

/** @param {string | null} title null leaves it as it is */
export function entitle(title) {
  if (title === null || document.title === title) return;
  document.title = title;
  document.querySelector('meta[property="og:title"]')?.setAttribute('content', title);
}
