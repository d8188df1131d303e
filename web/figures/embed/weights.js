// A model's weights in a file next to the figures, and how such a file hands over its contents.

export const weights = Uint8Array.from(atob(import.meta.env.WEIGHTS), (letter) =>
  letter.charCodeAt(0),
);

/** @param {object} detail */
export const give = (detail) =>
  document.currentScript?.dispatchEvent(new CustomEvent('glassformer-file', { detail }));
