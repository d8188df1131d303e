// A real encoder, all-MiniLM-L6-v2: the search of the manual, and a classifier that learns 200 sentences. Only in
// `make test-all`: `make setup-models` downloads the files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTokenizer } from '../../../bindings/models/formats/tokenizer.js';
import { classify, embed, trainClassifier } from '../../../bindings/models/text/index.js';
import { load, openCheckpoint } from '../../../bindings/models.js';
import { blocks, root } from '../../support/markdown.js';
import { onlyInFull } from '../../support/skips.js';

const folder = fileURLToPath(new URL('../../../build/models/minilm/', import.meta.url));
const file = join(folder, 'model.safetensors');

const WHO =
  'The cat|A lawyer|My neighbour|The old ship|Our teacher|A violin|The river|The engineer|A dog|The queen';
const DOES =
  'sleeps on|writes about|talks of|sails past|explains|plays near|flows by|repairs|barks at|visits';
const WHAT =
  'the mat|a contract|the weather|the harbour|long division|the opera|the mill|a turbine|the postman|the hospital';
const sentences = WHO.split('|').flatMap((who) =>
  DOES.split('|').flatMap((does) => WHAT.split('|').map((what) => `${who} ${does} ${what}.`)),
);

/** Two classes that no single word tells apart. */
const MEALS = 'soup|bread|rice|an apple|cheese|noodles|a pear|the cake|a salad|fresh fish'.split(
  '|',
);
const TRIPS =
  'Paris|the coast|a lake|the hills|Rome|the museum|an island|the castle|Oslo|the north'.split('|');
const OPENINGS =
  'We|My friends|They|You|The children|Our guests|Some people|The twins|Two nurses|All of us'.split(
    '|',
  );
const examples = OPENINGS.flatMap((who) => [
  ...MEALS.map((what) => ({ text: `${who} had ${what} today.`, label: 'meal' })),
  ...TRIPS.map((where) => ({ text: `${who} went to ${where} today.`, label: 'trip' })),
]);

describe('all-MiniLM-L6-v2', { skip: onlyInFull }, () => {
  test('the search of the manual finds the dog among 1,000 sentences', () => {
    const [code] = blocks('bindings/README.md', 'mjs').filter((one) => one.includes('startWorker'));
    assert.equal(code.trim().split('\n').length, 12);
    const here = join(root, 'build/models/search');
    mkdirSync(join(here, 'node_modules'), { recursive: true });
    for (const [to, from] of [
      [root, 'node_modules/glassformer'],
      [folder, 'minilm'],
    ]) {
      if (!existsSync(join(here, from))) symlinkSync(to, join(here, from));
    }
    writeFileSync(join(here, 'sentences.txt'), `${sentences.join('\n')}\n`);
    writeFileSync(join(here, 'search.mjs'), code);
    const { stdout, stderr, status } = spawnSync(process.execPath, ['search.mjs'], {
      cwd: here,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /100 %$/);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, 3);
    assert.match(lines[0], /^0\.\d\d A dog barks at the postman\.$/);
  });

  test('a classifier learns 200 sentences, and tells others apart', async () => {
    assert.equal(examples.length, 200);
    const json = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const config = json('tokenizer_config.json');
    const tokenizer = openTokenizer({ tokenizer: json('tokenizer.json'), config });
    const gf = await load();
    const model = await gf.openModel(await openCheckpoint(file));
    const classifier = await trainClassifier(model, tokenizer, examples);
    const others = ['Her uncle ate a plate of beans.', 'He took the train to Berlin.'];
    const told = await classify(model, tokenizer, others, classifier);
    assert.deepEqual(
      told.map(({ label }) => label),
      ['meal', 'trip'],
    );
    const [one] = await embed(model, tokenizer, [others[0]]);
    assert.equal(one.length, 384);
    model.dispose();
  });
});
