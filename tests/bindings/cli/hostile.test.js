// Files of strangers: nested a hundred thousand levels deep, or with one part that is far too long. Each command reads
// them, or refuses them in one line with status 1 or 2.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readSafetensors } from '../../../bindings/js/formats/safetensors.js';
import { llamaGguf, STRING } from '../../support/gguf.js';
import { call, refuses, succeeds } from './call.js';

const folder = fs.mkdtempSync(join(tmpdir(), 'glassformer-hostile-'));
after(() => fs.rmSync(folder, { recursive: true }));
const write = (name, content) => {
  fs.writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const LEVELS = 100_000;
const nested = (open, close, inner = '1') => open.repeat(LEVELS) + inner + close.repeat(LEVELS);
const DEEP = { arrays: nested('[', ']'), objects: nested('{"a":', '}') };
/** A safetensors with this header and no numbers. */
const safetensors = (header) => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([length, Buffer.from(header)]);
};

const fixtures = new URL('../../reference/fixtures/llama/', import.meta.url);
const config = fs.readFileSync(new URL('config.json', fixtures), 'utf8');
const weights = fs.readFileSync(new URL('model.safetensors', fixtures));
const TOKENS = [...'abcdefghijklmnopqrstuvwxyz', ...'12345678'];
const tokenizer = JSON.stringify({
  model: { type: 'WordLevel', vocab: Object.fromEntries(TOKENS.map((token, id) => [token, id])) },
});
/** A model of Hugging Face with other files in place of its own. */
function model(name, files) {
  fs.mkdirSync(join(folder, name), { recursive: true });
  const whole = {
    'config.json': config,
    'model.safetensors': weights,
    'tokenizer.json': tokenizer,
  };
  for (const [file, content] of Object.entries({ ...whole, ...files }))
    write(join(name, file), content);
  return join(folder, name);
}

for (const [kind, text] of Object.entries(DEEP)) {
  test(`JSON of ${LEVELS} ${kind} in each other is refused by every command that reads a file`, async () => {
    const file = write(`${kind}.json`, text);
    const problem = write('problem.json', await succeeds('quiz', 'scores'));
    const weightsFile = write(`${kind}.safetensors`, safetensors(text));
    const deep = /100 levels/;
    for (const args of [
      ['mark', file, problem],
      ['mark', problem, file],
      ['trace', file],
      ['lesson', 'check', file],
      ['inside', 'probe', 'reverse', '--node', 'x', '--examples', file],
      ...['config.json', 'tokenizer.json', 'tokenizer_config.json', 'generation_config.json'].map(
        (name) => ['generate', model(`${kind}-${name}`, { [name]: text }), 'a'],
      ),
    ])
      await refuses(args, 1, deep);
    for (const args of [
      ['train', 'reverse', '--steps', '1', '--from', weightsFile],
      ['ask', 'reverse', 'ab', '--model', weightsFile],
      ['inside', 'lens', weightsFile, '--prompt', '1 2'],
      [
        'convert',
        model(`${kind}-weights`, { 'model.safetensors': safetensors(text) }),
        'x.safetensors',
      ],
    ])
      await refuses(args, 1, /safetensors: /);
    const program = write('same.mjs', 'export default (row) => row;\n');
    const row = await call(['map', program, '--workers', '1'], { input: `${text}\n` });
    assert.equal(row.status, 1);
    assert.match(row.stderr, deep);
  });
}

test('expressions and templates of 100,000 brackets, signs and calls are checked, or refused', async () => {
  const deep = nested('(', ')');
  for (const text of [
    `${deep} = 2`,
    `${'-'.repeat(LEVELS)}1 = 2`,
    `${'2^'.repeat(LEVELS)}1 = 3`,
    `$${nested('\\frac{1}{', '}')} = 2$`,
    nested('<i>', '</i>', '1 + 1 = 3'),
    `x = ${nested('np.exp(', ')')}  # 2.718`,
  ]) {
    const { status, stderr } = await call(['check', '-'], { input: text });
    assert.ok([0, 3].includes(status), text.slice(0, 20));
    assert.equal(stderr, '');
  }
  const problem = write('problem.json', await succeeds('quiz', 'scores'));
  for (const answer of [
    deep,
    `${'-'.repeat(LEVELS)}1`,
    `${'2^'.repeat(LEVELS)}1`,
    nested('√(', ')'),
  ]) {
    const answers = write('answers.json', JSON.stringify({ cells: { 'scores[0,0]': answer } }));
    assert.match(await succeeds('mark', problem, answers), /^0 of 9 points/);
  }
  const { tensors } = readSafetensors(weights);
  for (const template of [
    `{{ ${deep} }}`,
    `{{ ${nested('[', ']', '')} }}`,
    `{{ ${'not '.repeat(LEVELS)}1 }}`,
    `{{ ${'1 if 1 else '.repeat(LEVELS)}1 }}`,
    nested('{% if 1 %}', '{% endif %}'),
    '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
    `{% set ns = namespace(a=[]) %}{% for i in range(${LEVELS}) %}{% set ns.a = [ns.a] %}{% endfor %}{{ ns.a|tojson }}`,
  ]) {
    const file = write(
      'template.gguf',
      llamaGguf(JSON.parse(config), tensors, {
        'tokenizer.ggml.model': [STRING, 'gpt2'],
        'tokenizer.ggml.pre': [STRING, 'gpt-2'],
        'tokenizer.ggml.tokens': [[STRING], TOKENS],
        'tokenizer.ggml.merges': [[STRING], ['a b']],
        'tokenizer.chat_template': [STRING, template],
      }),
    );
    await refuses(['generate', file, 'a', '--chat'], 1, /template/);
  }
});

const LONG = 'x'.repeat(5_000_000);

test('a part of five million letters is cut in tables and errors, and refused where a model would read it', async () => {
  const example = JSON.parse(await succeeds('trace', 'three-tokens', '--json')).example;
  const trace = (changed) => write('example.json', JSON.stringify({ ...example, ...changed }));
  const shown = await succeeds('trace', trace({ tokens: [LONG, LONG, LONG] }));
  assert.ok(shown.length < 20_000);
  const printed = {
    scores: [
      ['1'.repeat(1e6), '1', '1'],
      ['1', '1', '1'],
      ['1', '1', '1'],
    ],
  };
  assert.match(await succeeds('trace', trace({ printed })), /it is 0\.625\b/);
  const unknown = await call(['trace', trace({ [LONG]: 1 })]);
  assert.equal(unknown.status, 1);
  assert.ok(unknown.stderr.length < 2100);

  const ok = model('ok', {});
  for (const args of [
    ['generate', ok, '-'],
    ['trace', '--sentence', '-'],
    ['inside', 'ablate', 'reverse', '--prompt', 'ab', '--value', 'mean', '--set', '-'],
  ])
    await refuses(args, 1, /standard input: more than 4194304 bytes/, { input: LONG });
  const strange = write('strange.txt', '(){}[]<>'.repeat(10_000));
  await refuses(
    ['inside', 'ablate', 'reverse', '--prompt', 'ab', '--value', 'mean', '--set', strange],
    2,
    /the model does not know "\(", "\)", "\{", "\}", "\[" and 3 more$/m,
  );
  for (const [name, content] of Object.entries({ text: JSON.stringify(LONG), list: '[1, 2]' }))
    await refuses(
      ['generate', model(name, { 'tokenizer_config.json': content }), 'a'],
      1,
      /tokenizer_config\.json: expected an object, received ("x{40}"|an array of 2)$/m,
    );
});
