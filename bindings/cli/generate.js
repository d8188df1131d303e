// glassformer generate: lets the language model of a file continue a text.

import { parse } from '../js/base/file.js';
import { generateText } from '../models/text/index.js';
import {
  ARITHMETIC_FLAG,
  ARITHMETIC_HELP,
  arithmeticOf,
  FILES,
  GENERATION_FLAGS,
  GENERATION_HELP,
  generationOf,
  opened,
  quotedWords,
  unknownWords,
  written,
} from './models.js';
import { MAX_TEXT } from './terminal.js';
import { defined, Failure, integer, Missing, UsageError } from './usage.js';

const HELP = `glassformer generate FILE TEXT

Continues a text with the language model of a file, and prints each new piece at
once. With - in place of the text, it reads standard input.

${GENERATION_HELP}
  --chat            TEXT is a message: the model answers, by the chat template
                    of its file. For several messages: glassformer chat
  --schema FILE     the text is JSON that fits this JSON schema
${ARITHMETIC_HELP}
  --json            one object: prompt, text, tokens, seconds, seed, arithmetic,
                    why the text ended (ended), and whether the model ended it
                    by itself (stopped)
  --quiet           nothing but the text and errors

${FILES}

Examples
  glassformer generate smollm2.gguf "The cat sat on the"
  glassformer generate smollm2.gguf "Once upon a time" --temperature 0.8 --seed 3
  glassformer generate smollm2.gguf "What is a transformer?" --chat
  glassformer generate smollm2.gguf "Describe a cat." --chat --schema cat.json
  echo "The capital of France is" | glassformer generate smollm2.gguf - --max 8 --json
`;

/** A message as the model's template puts it.
 * @param {Awaited<ReturnType<typeof opened>>} file @param {string} content */
async function chatOf({ chatTemplate, tokenizer }, content) {
  if (chatTemplate === null) throw new Failure('--chat: the file has no chat template');
  const { chatPrompt } = await import('../models/formats/chat.js');
  const text = chatPrompt({ chatTemplate, tokenizer }, [{ role: 'user', content }]);
  return tokenizer.encode(text, { special: false });
}

/** @param {string} file @param {import('./terminal.js').Terminal} terminal */
const schemaOf = async (file, terminal) => parse(file, await terminal.text(file));

/** @type {import('./usage.js').Command} */
export const generate = {
  help: HELP,
  flags: {
    ...GENERATION_FLAGS,
    chat: { type: 'boolean' },
    schema: { type: 'string' },
    ...ARITHMETIC_FLAG,
  },
  async run({ flags, words, terminal }) {
    const [file, ...rest] = words;
    if (!file) throw new Missing('file');
    if (!rest.length) throw new Missing('text');
    const schema =
      flags.schema === undefined ? undefined : await schemaOf(String(flags.schema), terminal);
    const options = defined({ ...generationOf(flags), schema, signal: terminal.signal });
    const arithmetic = arithmeticOf(flags);
    const loaded = await opened(file, terminal, arithmetic, integer(flags, 'context'));
    const { model, tokenizer } = loaded;
    const argument = rest.join(' ');
    const text =
      argument === '-' ? (await terminal.text('-', MAX_TEXT)).replace(/\r?\n$/, '') : argument;
    const prompt = flags.chat ? await chatOf(loaded, text) : tokenizer.encode(text);
    const strange = unknownWords(tokenizer, text);
    if (strange.length)
      terminal.note(
        `the model does not know ${quotedWords(strange)}: it reads its unknown word there`,
      );
    if (!prompt.length) throw new UsageError('the text to continue is empty');
    terminal.progress(`reading the prompt  ${prompt.length} tokens`);
    const stream = generateText(model, tokenizer, prompt, options);
    const result = await written(stream, terminal, flags.json === true);
    const { text: all, tokens, ended, seed, guessed, seconds } = result;
    if (flags.json) {
      const stopped = ended === 'stop-token' || ended === 'schema';
      const record = {
        prompt: text,
        text: all,
        tokens,
        stopped,
        ended,
        seconds,
        seed,
        arithmetic: model.arithmetic,
      };
      return terminal.print(`${JSON.stringify(record)}\n`);
    }
    await terminal.print('\n');
    if (schema !== undefined && /^max/.test(String(ended))) {
      terminal.note('the JSON was closed early, since the tokens ran out: raise --max');
    }
    const rate = (prompt.length + tokens.length) / seconds;
    terminal.note(
      `${tokens.length} tokens; ${rate.toFixed(1)} tokens/s, the prompt included; ` +
        `arithmetic ${model.arithmetic}${seed === null ? '' : `; seed ${seed}`}` +
        (flags.lookup ? `; ${guessed} tokens were guessed` : ''),
    );
  },
};
