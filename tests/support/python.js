// The Python of the tests, which `make setup-python` makes; tests/python/requirements.txt names its packages.
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
export const python = path.join(root, 'build/venv/bin/python3');
/** Where it finds the package as `make test` builds it. */
export const PYTHONPATH = path.join(root, 'build/python');
