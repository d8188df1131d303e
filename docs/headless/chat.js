// A chat of ten turns with a model file that has a chat template, such as SmolLM2-Instruct (`make setup-models`). Each turn reads
// only what is new, so the tenth begins about as fast as the first; a chat that outgrows the context loses its oldest turns.
// Writes JSON Lines: question, answer, seconds to its first piece, how many messages are no longer read, bytes that are kept
//
//   node docs/headless/chat.js build/models/smollm2.gguf [--context 1024] [--max 60]

import { parseArgs } from 'node:util';
import { open } from 'glassformer';
import { session } from 'glassformer/chat';

const QUESTIONS = [
  'Who are you?',
  'What is a transformer, in one sentence?',
  'What does attention do in it?',
  'Why is that useful for translation?',
  'Give me an example with two words.',
  'What is a token?',
  'How many tokens has a short sentence?',
  'Can a model forget what was said?',
  'What did I ask first?',
  'Thank you. Goodbye!',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    context: { type: 'string', default: '1024' },
    max: { type: 'string', default: '60' },
  },
});
const [file] = positionals;
if (!file) throw new Error('expected a model file: node docs/headless/chat.js smollm2.gguf');

const { model } = await open(file, { stored: true });
const talk = session(model, {
  system: 'You are a friendly teacher. Answer in one short sentence.',
  maxLength: Number(values.context),
  maxNewTokens: Number(values.max),
});
for (const question of QUESTIONS) {
  const begin = performance.now();
  let seconds = 0;
  const stream = talk.ask(question);
  for await (const _ of stream) seconds ||= (performance.now() - begin) / 1000;
  const { trimmed, bytes } = talk;
  console.log(JSON.stringify({ question, answer: stream.result.text, seconds, trimmed, bytes }));
}
talk.dispose();
model.dispose();
