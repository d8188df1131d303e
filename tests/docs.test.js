// Every page of documentation: its links lead somewhere, its commands exist, and what is cheap runs.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { examples } from '../bindings/index.js';
import { recipes } from '../bindings/learn/exercises/index.js';
import { anchorOf } from '../docs/site/pages.js';
import { cli } from './bindings/cli/call.js';
import { pack } from './consumers/pack.js';
import { blocks, filesNamed, linksOf, proseOf, read, root, write } from './support/markdown.js';

const pages = filesNamed('.md');

const prose = (page) => proseOf(read(page));

/** The anchors of a page, as GitHub makes them of its headings. */
const anchors = (page) =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title));

test('every link leads to a file, and to a heading in it', () => {
  const broken = [];
  let seen = 0;
  for (const page of pages) {
    for (const link of linksOf(read(page))) {
      seen += 1;
      const [file, anchor] = link.split('#');
      const target = file ? path.join(path.dirname(page), file) : page;
      const isThere = existsSync(path.join(root, target));
      if (isThere && (!anchor || anchors(target).includes(anchor))) continue;
      broken.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(seen > 10, `${seen} links`);
});

/** A page's lines of shell. */
const shell = (page, language = 'sh') =>
  blocks(page, language).flatMap((code) => code.replaceAll(/\\\n/g, ' ').split('\n'));

/** What a page says to type, in blocks or within the text. */
const typed = (page) => [
  ...shell(page),
  ...shell(page, ''),
  ...[...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code),
];

test('every command that is named exists', () => {
  const targets = read('Makefile').match(/^[\w-]+(?=:)/gm);
  const help = execFileSync(process.execPath, [cli, '--help'], { encoding: 'utf8' });
  const commands = [...help.matchAll(/^ {2}glassformer (\S+)/gm)].map(([, name]) => name);
  commands.push('--help', 'COMMAND');
  const missing = [];
  let seen = 0;
  const check = (page, name, isThere) => {
    seen += 1;
    if (!isThere) missing.push(`${page}: ${name}`);
  };
  for (const page of pages) {
    for (const line of typed(page)) {
      for (const part of line.split(/&&|\|/)) {
        const [, program, name] =
          /^\s*(make|node|(?:npx )?glassformer)\s+("?[^\s"]+)/.exec(part) ?? [];
        if (program === 'make') check(page, `make ${name}`, targets.includes(name));
        if (program?.endsWith('glassformer')) check(page, part, commands.includes(name));
        if (program === 'node' && /^\w.*\.js$/.test(name)) {
          check(page, `node ${name}`, existsSync(path.join(root, name)));
        }
      }
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(seen > 20, `${seen} commands`);
});

/* What is built is not built again: make tells whether it could, out of the sight of a make that runs this. */
write('make', '#!/bin/sh\nexec /usr/bin/env -i PATH="$REAL" make -n "$@" > /dev/null\n', {
  mode: 0o755,
});
/* Nothing is looked up that is not there: the command that is installed, or else the one of the sources. */
const npx = `#!/bin/sh
shift
[ -e node_modules/.bin/glassformer ] && exec node_modules/.bin/glassformer "$@"
exec node '${root}/bindings/cli/bin.js' "$@"
`;
write('npx', npx, { mode: 0o755 });
const env = {
  ...process.env,
  REAL: process.env.PATH,
  PATH: `${root}/build/readme:${process.env.PATH}`,
};

/* The tarball, which make pack would make. */
before(() => pack());

/** Whether a command ends by itself, needs no network, and changes nothing but build/. */
const isCheap = (line) =>
  /^(node|npx glassformer|make (native|pack|package) &&|printf|echo) /.test(line) &&
  !/node tests\/|glassformer train/.test(line);

/** Each command, by the page where it is first met. */
const commands = new Map();
for (const page of pages.toReversed()) {
  for (const line of shell(page, 'sh').filter(isCheap)) commands.set(line, page);
}

for (const [line, page] of commands) {
  test(`${page}: ${line.slice(0, 70)}`, () => {
    const options = { cwd: root, env, encoding: 'utf8' };
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', line], options);
    assert.equal(status, 0, stderr);
    const [, written] = /> (\S+)$/.exec(line) ?? [];
    const size = written ? statSync(path.join(root, written)).size : stdout.length;
    assert.ok(size > 0, 'it says something');
  });
}

test('the numbers of the paper are those of the product', () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen';
  const numbers = Object.fromEntries(words.split(' ').map((word, i) => [word, i + 1]));
  const numberOf = (word) => numbers[word.toLowerCase()] ?? Number(word);
  const paper = read('docs/paper/paper.md').replace(/\s+/g, ' ');
  /** @param {RegExp} claim @param {number[]} expected */
  const holds = (claim, ...expected) => {
    const [, ...told] = paper.match(claim) ?? assert.fail(`the paper does not say ${claim}`);
    assert.deepEqual(told.map(numberOf), expected, `${claim}`);
  };
  const lessons = filesNamed('.json', 'web/lessons').map((file) => JSON.parse(read(file)));
  const byMinutes = lessons.map(({ minutes }) => minutes).sort((a, b) => a - b);
  holds(/(\w+) lessons ask before they show/, lessons.length);
  holds(/lessons take (\w+) to (\w+) minutes each/, byMinutes[0], byMinutes.at(-1));

  const wrong = read('docs/syllabus.md')
    .split(/^## Where the texts are wrong$/m)[1]
    .split(/^#/m)[0]
    .split('\n')
    .filter((line) => line.includes('→') && !line.includes('prints → it is'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const weights = wrong.find(
    ([, text, step]) => text === 'Three tokens' && step.includes('Attention weights'),
  );
  holds(
    /worked through (\w+) such texts: (\w+) of them have wrong numbers/,
    5,
    new Set(wrong.map(([, text]) => text)).size,
  );
  holds(/(\w+) of (\w+) attention weights in one/, weights?.[3].match(/→/g)?.length ?? 0, 3 * 3);

  const { vocabulary, inputs, attention } = examples.pocket;
  holds(
    /language of (\w+) words with (\w+) head of (\w+) channels/,
    vocabulary.length,
    attention.heads,
    inputs.w_q[0].length,
  );
  holds(/exercises has (\d+) recipes/, recipes().length);
});
