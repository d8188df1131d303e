// glassformer examples: the worked examples.

import { examples as all } from '../index.js';
import { UsageError } from './usage.js';

const HELP = `glassformer examples

Lists the worked examples: the name that trace takes, and the title.

  --json     name, title, source and what it is about, as JSON
  --quiet    the names alone

Examples
  glassformer examples
  glassformer examples --json
`;

/** @type {import('./usage.js').Command} */
export const examples = {
  help: HELP,
  flags: {},
  async run({ flags, words, terminal }) {
    if (words.length) throw new UsageError(`examples takes no name, received "${words[0]}"`);
    const list = Object.values(all);
    if (flags.json) {
      const entries = list.map(({ name, title, source, about }) => ({
        name,
        title,
        source,
        about,
      }));
      return terminal.print(`${JSON.stringify(entries)}\n`);
    }
    const { bold } = terminal.look;
    const width = Math.max(...list.map(({ name }) => name.length));
    const lines = list.map(({ name, title }) =>
      flags.quiet ? name : `${bold(name.padEnd(width))}  ${title}`,
    );
    await terminal.print(`${lines.join('\n')}\n`);
  },
};
