// Chat templates as models have them, filled in as their authors say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GlassformerError } from '../../bindings/base/errors.js';
import { chat, chatPrompt } from '../../bindings/chat.js';
import { listedTokenizer } from '../../bindings/formats/token-lists.js';
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

test('a template that does not end is ended', () => {
  const endless =
    '{% for a in range(9000) %}{% for b in range(9000) %}{% for c in range(9000) %}{% endfor %}{% endfor %}{% endfor %}';
  assert.throws(
    () => chatPrompt({ chatTemplate: endless }, [user('x')], { timeout: 50 }),
    /chatPrompt: the template ran for more than 50 milliseconds/,
  );
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
