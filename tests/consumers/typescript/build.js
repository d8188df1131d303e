// Compiles what uses the types by every TypeScript that package.json names.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load } from '../../../bindings/index.js';
import { program } from '../../bindings/forms.js';
import { compile, sources } from './compile.js';

const here = import.meta.dirname;
const folder = path.join(here, 'dist/types');
const { dependencies } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(sources(program(await load())))) {
  writeFileSync(path.join(folder, name), text);
}
for (const compiler of Object.keys(dependencies)) compile(folder, here, compiler);
