// Chat templates as models have them, filled in as their authors say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chat, chatPrompt } from '../../bindings/chat.js';
import { GlassformerError } from '../../bindings/js/base/errors.js';
import { listedTokenizer } from '../../bindings/models/formats/token-lists.js';
import { collect, families, model } from './model/small.js';

const SMOLLM2 =
  "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}" +
  "{{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}" +
  "{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
const LLAMA2 =
  "{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}" +
  "{{ raise_exception('Conversation roles must alternate') }}{% endif %}{% if message['role'] == 'user' %}" +
  "{{ bos_token + '[INST] ' + message['content'].strip() + ' [/INST]' }}{% else %}" +
  "{{ ' ' + message['content'].strip() + ' ' + eos_token }}{% endif %}{% endfor %}";

const user = (content) => ({ role: 'user', content });
const assistant = (content) => ({ role: 'assistant', content });
const tokenizer = listedTokenizer({
  model: 'llama',
  tokens: ['<unk>', '<s>', '</s>'],
  scores: [0, 0, 0],
  bos: 1,
  eos: 2,
});

test('SmolLM2: a system message of its own, then the turns', () => {
  const checkpoint = { chatTemplate: SMOLLM2, tokenizer };
  const system =
    '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n';
  assert.equal(
    chatPrompt(checkpoint, [user('Hi')]),
    `${system}<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n`,
  );
  assert.equal(
    chatPrompt(checkpoint, [{ role: 'system', content: 'Be short.' }, user('Hi')], {
      answer: false,
    }),
    '<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n',
  );
});

test('Llama 2: what begins and ends a text is the tokenizer’s; what the template refuses is refused', () => {
  const checkpoint = { chatTemplate: LLAMA2, tokenizer };
  const chat = [user(' Hi '), assistant('Hello'), user('And?')];
  assert.equal(
    chatPrompt(checkpoint, chat),
    '<s>[INST] Hi [/INST] Hello </s><s>[INST] And? [/INST]',
  );
  assert.throws(
    () => chatPrompt(checkpoint, [user('a'), user('b')]),
    (error) => {
      assert.ok(error instanceof GlassformerError);
      assert.equal(error.code, 'GF_EFILE');
      assert.match(error.message, /^chat_template: .*Conversation roles must alternate/);
      return true;
    },
  );
});

test('a message is data, whatever it looks like', () => {
  const chatTemplate = '{{ messages[0].content }}';
  for (const text of ['{{ 7 * 7 }}', '{% for x in y %}', '</s>', '"\\n']) {
    assert.equal(chatPrompt({ chatTemplate }, [user(text)]), text);
  }
});

test('a template reaches nothing outside', () => {
  for (const expression of [
    'messages.constructor',
    "messages['__proto__']",
    'constructor',
    'process',
    'globalThis',
    "''.constructor.constructor('return 1')()",
    'messages[0].content.constructor("return process")()',
  ]) {
    let text = '';
    try {
      text = chatPrompt({ chatTemplate: `{{ ${expression} }}` }, [user('x')]);
    } catch (error) {
      assert.equal(error.code, 'GF_EFILE', error.stack);
    }
    assert.doesNotMatch(text, /function|object|native/, expression);
  }
});

/** What Jinja made of templates: null where it refused one. `tests/reference/chat_templates.py` wrote it. */
const { messages: REFERENCE, templates } = JSON.parse(
  readFileSync(new URL('../reference/fixtures/chat_templates.json', import.meta.url), 'utf8'),
);

/** Templates that Jinja fills in and this package refuses. */
const REFUSED = [
  /^\{\{ ''\.__class__ \}\}$/,
  /safe ~|encode\(|swapcase|'ß'\)\.capitalize|\*\* -0\.0|'12' % messages|truncate/,
  /* A part of a text, and other scripts' digits. */
  /count\('a', 1\)|'٣/,
  /^\{\{ true is test \}\}$/,
  /* The slice of a number is an error or undefined there, as it is compiled. */
  /\[[\d:]*:[\d:]*\]/,
];

test('a template is what Jinja in Python makes of it, or is refused', () => {
  assert.ok(templates.length > 500);
  const refused = [];
  for (const [chatTemplate, expected] of templates) {
    let text = null;
    try {
      text = chatPrompt({ chatTemplate }, REFERENCE);
    } catch (error) {
      assert.equal(error.code, 'GF_EFILE', error.stack);
      assert.match(error.message, /^chat_template: the template cannot be filled in \(/);
    }
    if (text === null && expected !== null) refused.push(chatTemplate);
    else assert.equal(text, expected, chatTemplate);
  }
  const others = refused.filter((source) => !REFUSED.some((pattern) => pattern.test(source)));
  assert.deepEqual(others, []);
});

test('the date is written as strftime writes it', () => {
  const RealDate = Date;
  const fixed = class extends RealDate {
    constructor() {
      super(2026, 0, 5, 15, 4, 9);
    }
  };
  globalThis.Date = /** @type {any} */ (fixed);
  try {
    const text = (format) => chatPrompt({ chatTemplate: `{{ strftime_now('${format}') }}` }, []);
    /* date -d '2026-01-05 15:04:09' "+…" */
    assert.equal(text('%d %b %Y, %A %B %a'), '05 Jan 2026, Monday January Mon');
    assert.equal(text('%Y-%m-%d %H:%M:%S %I%p %y %-d %%'), '2026-01-05 15:04:09 03PM 26 5 %');
    assert.throws(() => text('%Z'), /strftime_now: %Z is not supported/);
  } finally {
    globalThis.Date = RealDate;
  }
});

/** Templates that would fill memory or take for ever, and what refuses each. */
const GREEDY = {
  range: ['{% set a = range(2147483647) %}a', /a range of more than 100000/],
  lists: [
    '{% set a = range(99999)|list %}{% for i in a %}{% set b = a + a %}{% endfor %}',
    /makes/,
  ],
  doubled: [
    "{% set n = namespace(s='a') %}{% for i in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}",
    /it makes more than/,
  ],
  repeated: ["{{ 'a' * 10000000000 }}", /it makes more than/],
  elements: ['{{ [1] * 1000000000 }}', /it takes more than/],
  padded: ["{{ 'a'.center(1000000000) }}", /it makes more than/],
  indented: ["{{ 'a'|indent(1000000000) }}", /it makes more than/],
  power: ['{{ 10 ** 100000000 }}', /4096 bits/],
  calls: ['{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', /steps deep/],
  tree: [
    '{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}',
    /it takes more than/,
  ],
  loops: [
    '{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}',
    /it makes more than/,
  ],
  searches: [
    "{% set x = 'a' * 1000000 %}{% for i in range(99999) %}{% if 'b' in x %}{% endif %}{% endfor %}",
    /it takes more than/,
  ],
  orders: [
    "{% set x = 'a' * 1000000 %}{% set y = x + 'b' %}{% for i in range(99999) %}{% if x < y %}{% endif %}{% endfor %}",
    /it takes more than/,
  ],
  brackets: [`{{ ${'('.repeat(100000)}1${')'.repeat(100000)} }}`, /nested more than 200 deep/],
  sum: [`{{ 1${' + 1'.repeat(100000)} }}`, /nested more than 200 deep/],
  filters: [`{{ 1${'|list'.repeat(100000)} }}`, /nested more than 200 deep/],
  blocks: ['{% if 1 %}'.repeat(10000), /nested more than 200 deep/],
  long: ['a'.repeat(2 ** 20 + 1), /longer than 1048576 characters/],
};

test('a template that takes too much is refused, in a Node of 64 MB', () => {
  /* Counted, not timed: the time limit lies far behind. */
  const code = `
    import { readFileSync } from 'node:fs';
    import { chatPrompt } from ${JSON.stringify(new URL('../../bindings/chat.js', import.meta.url))};
    for (const [name, [chatTemplate]] of Object.entries(JSON.parse(readFileSync(0, 'utf8')))) {
      let said;
      try { said = chatPrompt({ chatTemplate }, [], { timeout: 2 ** 30 }); } catch ({ message }) { said = message; }
      console.log(JSON.stringify([name, said.slice(0, 200)]));
    }`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=64', '--input-type=module', '-e', code],
    { encoding: 'utf8', input: JSON.stringify(GREEDY) },
  );
  const said = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  for (const [name, [, reason]] of Object.entries(GREEDY)) {
    assert.match(said.get(name) ?? stderr.slice(0, 500), reason, name);
  }
});

test('what is no template, and what are no messages, is refused', () => {
  const chatTemplate = SMOLLM2;
  for (const wrong of ['{% for %}', '{{ 1 +', '{% if x %}', '{{ x() }}']) {
    assert.throws(
      () => chatPrompt({ chatTemplate: wrong }, [user('x')]),
      /chat_template: the template cannot/,
    );
  }
  assert.throws(() => chatPrompt({ chatTemplate: null }, []), /no chat template/);
  assert.throws(() => chatPrompt(null, []), /no chat template/);
  assert.throws(
    () => chatPrompt({ chatTemplate }, 'Hi'),
    /messages: expected an array, received "Hi"/,
  );
  assert.throws(
    () => chatPrompt({ chatTemplate }, ['Hi']),
    /messages\[0\]: expected an object of options/,
  );
  assert.throws(
    () => chatPrompt({ chatTemplate }, [{ role: 'me', content: '' }]),
    /role: expected one of "system"/,
  );
  assert.throws(
    () => chatPrompt({ chatTemplate }, [{ role: 'user' }]),
    /content: expected a string/,
  );
  assert.throws(() => chatPrompt({ chatTemplate }, [], { answers: true }), /answers.*answer/);
});

test('tools, calls of tools, variables and integers are in a template what Jinja has there', () => {
  const chatTemplate = `{%- if tools %}<tools>{% for tool in tools %}
{{ tool | tojson }}{% endfor %}
</tools>{% endif %}{% for m in messages %}[{{ m.role }}{{ ' ' ~ m.name if m.name }}]{{ m.content }}{% if m.tool_calls %}{% for c in m.tool_calls %}<call>{{ c.function.arguments | tojson }} {{ c.function.arguments.n + 1 }}</call>{% endfor %}{% endif %}{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{% endfor %}{% if enable_thinking is defined and enable_thinking is false %}<think></think>{% endif %}{{ depth * 2 if depth is defined }}{{ documents is none }}`;
  const properties = { n: { type: 'integer', minimum: 3, maximum: 2.5 } };
  const tools = [
    {
      type: 'function',
      function: {
        ...{ name: 'get', description: 'é "q"' },
        parameters: { type: 'object', properties, required: ['n'] },
      },
    },
  ];
  const call = { function: { name: 'get', arguments: { n: 3, x: [1.5, true, null] } } };
  const messages = [
    user('a'),
    { ...assistant(''), tool_calls: [call], reasoning_content: 'so' },
    { role: 'tool', name: 'get', content: '7' },
  ];
  const variables = { enable_thinking: false, depth: 2 };
  /* Of jinja2 3.1.6, set up as in tests/reference/chat_templates.py. */
  const expected =
    '<tools>{"type": "function", "function": {"name": "get", "description": "é \\"q\\"", "parameters": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 3, "maximum": 2.5}}, "required": ["n"]}}}</tools>' +
    '[user]a[assistant]<call>{"n": 3, "x": [1.5, true, null]} 4</call><think>so</think>[tool get]7<think></think>4True';
  assert.equal(chatPrompt({ chatTemplate }, messages, { tools, variables }), expected);
  for (const name of ['messages', 'tools', 'bos_token']) {
    assert.throws(
      () => chatPrompt({ chatTemplate }, messages, { variables: { [name]: 1 } }),
      new RegExp(`variables: ${name} is set already`),
    );
  }
  assert.throws(() => chatPrompt({ chatTemplate }, messages, { tools: ['get'] }), /tools\[0\]/);
});

test('the parts of a message are lines of one text', () => {
  const chatTemplate = '{{ messages[0].content }}';
  const content = ['a', 'b c'].map((text) => ({ type: 'text', text }));
  assert.equal(chatPrompt({ chatTemplate }, [{ role: 'user', content }]), 'a\nb c');
  const wrong = [{ role: 'user', content: [{ type: 'image', text: 'x' }] }];
  assert.throws(() => chatPrompt({ chatTemplate }, wrong), /content\[0\]: type: .*"text".*"image"/);
});

test('chat: the answer to the messages in their template, until a stop token', async () => {
  const made = model(families.gpt);
  const tokens = ['<s>', ...'abcdefgh', '</s>', ' '];
  const letters = listedTokenizer({
    model: 'gpt2',
    tokens: tokens.map((token) => token.replace(' ', 'Ġ')),
    types: tokens.map((token) => (token.length > 1 ? 3 : 1)),
    merges: [],
    bos: 0,
    eos: 9,
  });
  const chatTemplate = "{{ bos_token }}{% for m in messages %}{{ m['content'] }} {% endfor %}";
  const checkpoint = { chatTemplate, tokenizer: letters };
  const messages = [user('abc'), assistant('h'), user('ba')];
  const prompt = [0, 1, 2, 3, 10, 8, 10, 2, 1, 10];
  const expected = made.generateSync(prompt, { maxNewTokens: 20, stopTokens: [9] });
  const stream = chat(made, checkpoint, messages, { maxNewTokens: 20 });
  const parts = await collect(stream);
  assert.deepEqual(
    stream.result.tokens.map(({ token }) => token),
    expected,
  );
  assert.equal(parts.join(''), letters.decode(expected));
  assert.throws(
    () => chat(made, { chatTemplate, tokenizer: null }, messages),
    /chat: checkpoint: expected a tokenizer/,
  );
  made.dispose();
});
