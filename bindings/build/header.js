// Writes the ops into src/glassformer.h: the contract of each, which stands above its builder in src/op/.
// With --check it fails where that is not what the header says: node bindings/build/header.js [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { ops, root } from './table.js';

const COLUMNS = 100;
const header = new URL('src/glassformer.h', root);

/** The contracts stand between these lines of the header, behind a note. */
const FIRST = /^\/\* ---- Ops: what is computed -+ \*\/\n/m;
const NEXT = /^\/\* ---- Attention -/m;
const NOTE =
  '\n/* One row of the op table each. `make header` copies what follows from the files of the ops. */\n';

/** A builder's declaration, from the first lines of its definition.
 * @param {string} definition */
function declaration(definition) {
  const one = `${definition.replace(/\s+/g, ' ')};`;
  return one.length <= COLUMNS ? one : `${definition};`;
}

/** What an op's file ends with: its builders, each with its contract or right behind the one it shares.
 * @param {string} op */
function contracts(op) {
  const source = readFileSync(new URL(`src/op/${op}.c`, root), 'utf8');
  const builders = source.matchAll(
    /(?:^(\/\*(?:(?!\*\/)[\s\S])*?\*\/)\n)?^(int gf_\w+\([\s\S]*?\)) \{$/gm,
  );
  return [...builders]
    .map(
      ([, contract, definition]) =>
        `${contract ? `\n${contract}\n` : ''}${declaration(definition)}\n`,
    )
    .join('');
}

const text = readFileSync(header, 'utf8');
const [line] = text.match(FIRST) ?? [''];
const start = text.search(FIRST) + line.length;
const section = [NOTE, ...ops.map(contracts), '\n'].join('');
const due = text.slice(0, start) + section + text.slice(text.search(NEXT));

if (!process.argv.includes('--check')) writeFileSync(header, due);
else if (due !== text) {
  console.error('src/glassformer.h is not what src/op/ says: make header');
  process.exitCode = 1;
}
