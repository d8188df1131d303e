// A figure as pixels, drawn by the browser from its SVG.

/** Pixels per px of the figure: sharp in print, too. */
const DENSITY = 2;

/**
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
export async function png(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(image.width * DENSITY);
  canvas.height = Math.ceil(image.height * DENSITY);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, refuse) =>
    canvas.toBlob((blob) => (blob ? done(blob) : refuse(new Error('no image'))), 'image/png'),
  );
}
