// Compiles programs that use the types of the installed package.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

/** Every way that TypeScript finds modules by. */
const WAYS = [
  ['nodenext', 'nodenext'],
  ['node16', 'node16'],
  ['esnext', 'bundler'],
];

const ENTRIES = `export * as main from 'glassformer';
export * as external from 'glassformer/external';
export * as cli from 'glassformer/cli';
export * as cores from 'glassformer/cores';
export * as chat from 'glassformer/chat';
export * as relaxed from 'glassformer/relaxed';
export * as threads from 'glassformer/threads';
export * as worker from 'glassformer/worker';
export * as lora from 'glassformer/lora';
export * as text from 'glassformer/text';
export * as inside from 'glassformer/inside';
export * as models from 'glassformer/models';
export * as stories from 'glassformer/stories';
export * as tasks from 'glassformer/tasks';
export * as selfTest from 'glassformer/self-test';
export * as tokenizer from 'glassformer/tokenizer';
export * as element from 'glassformer/element';
export { default as anywidget } from 'glassformer/anywidget';
`;

/** The programs by their files.
 * @param {string} forms what comes out of each eager function */
export const sources = (forms) => ({
  'use.ts': readFileSync(path.join(here, 'use.ts'), 'utf8'),
  'forms.ts': forms,
  'entries.ts': ENTRIES,
});

/** Compiles the programs in a folder with the TypeScript that another holds; throws what it finds.
 * @param {string} folder @param {string} from @param {string} [compiler] its name there */
export function compile(folder, from, compiler = 'typescript') {
  const tsc = path.join(from, 'node_modules', compiler, 'bin/tsc');
  for (const [module, moduleResolution] of WAYS) {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'], types: [] },
      ...{ strict: true, noEmit: true, skipLibCheck: false },
    };
    const project = { compilerOptions, files: Object.keys(sources('')) };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${compiler}, ${moduleResolution}\n${stdout}${stderr}`);
  }
}
