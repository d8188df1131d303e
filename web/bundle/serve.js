// Serves the built playground, prints its address, and opens it where there is a browser to open. Run by `make play`.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { preview } from 'vite';

/** Whether a program is on the path. @param {string} program */
const isThere = (program) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Whether this session has a screen, and a program that opens addresses on it. */
function hasBrowser() {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return Boolean(DISPLAY || WAYLAND_DISPLAY) && isThere('xdg-open');
}

const server = await preview({
  configFile: path.join(import.meta.dirname, '../vite.config.js'),
  logLevel: 'error',
  preview: { port: Number(process.argv[2] ?? 8080), open: hasBrowser() },
});
const [address] = server.resolvedUrls?.local ?? [];
console.log(`The playground: ${address}  (Ctrl+C ends it)`);
