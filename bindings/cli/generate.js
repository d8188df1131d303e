// glassformer generate: lets the language model of a file continue a text.

import { generateText } from '../models/text/index.js';
import { load } from '../models.js';
import {
  ARITHMETIC_FLAG,
  ARITHMETIC_HELP,
  arithmeticOf,
  FILES,
  modelOf,
  opened,
} from './models.js';
import { MAX_TEXT } from './terminal.js';
import { defined, Failure, integer, Missing, number, UsageError } from './usage.js';

/** New tokens, unless the call says how many. */
const DEFAULT_MAX_TOKENS = 128;

const HELP = `glassformer generate FILE TEXT

Continues a text with the language model of a file, and prints each new piece at
once. With - in place of the text, it reads standard input.

  --max N           at most N new tokens: ${DEFAULT_MAX_TOKENS} by default
  --temperature T   0, the default, takes the best token each time. Above 0
                    tokens are drawn: at 1 as likely as the model finds them
  --seed N          of the draws: 0 by default
  --chat            TEXT is a message: the model answers, by the chat template of
                    its file
  --lookup          guess tokens from earlier parts of the text, and check them
                    together: faster where the text copies, and the same text
${ARITHMETIC_HELP}
  --json            one object: prompt, text, tokens, seconds, arithmetic, and whether
                    the model ended the text by itself (stopped)
  --quiet           nothing but the text and errors

${FILES}

Examples
  glassformer generate smollm2.gguf "The cat sat on the"
  glassformer generate smollm2.gguf "Once upon a time" --temperature 0.8 --seed 3
  glassformer generate smollm2.gguf "What is a transformer?" --chat
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

/** @type {import('./usage.js').Command} */
export const generate = {
  help: HELP,
  flags: {
    max: { type: 'string' },
    temperature: { type: 'string' },
    seed: { type: 'string' },
    chat: { type: 'boolean' },
    lookup: { type: 'boolean' },
    ...ARITHMETIC_FLAG,
  },
  async run({ flags, words, terminal }) {
    const [file, ...rest] = words;
    if (!file) throw new Missing('file');
    if (!rest.length) throw new Missing('text');
    const maxNewTokens = integer(flags, 'max') ?? DEFAULT_MAX_TOKENS;
    if (maxNewTokens < 1) {
      throw new UsageError(`--max: expected 1 or more, received ${maxNewTokens}`);
    }
    const options = defined({
      maxNewTokens,
      temperature: number(flags, 'temperature') ?? 0,
      seed: integer(flags, 'seed'),
      lookup: flags.lookup,
      signal: terminal.signal,
    });
    const arithmetic = arithmeticOf(flags);
    const loaded = await opened(file, terminal);
    const { checkpoint, tokenizer, stops } = loaded;
    const argument = rest.join(' ');
    const text =
      argument === '-' ? (await terminal.text('-', MAX_TEXT)).replace(/\r?\n$/, '') : argument;
    const prompt = flags.chat ? await chatOf(loaded, text) : tokenizer.encode(text);
    if (!prompt.length) throw new UsageError('the text to continue is empty');
    const model = await modelOf(await load(), file, checkpoint, terminal, { arithmetic });
    terminal.progress(`reading the prompt  ${prompt.length} tokens`);
    const begin = performance.now();
    const stream = generateText(model, tokenizer, prompt, { ...options, stopTokens: stops });
    for await (const part of stream) if (!flags.json) await terminal.print(part);
    terminal.signal?.throwIfAborted();
    const seconds = (performance.now() - begin) / 1000;
    const { text: all, ended, guessed } = stream.result;
    const tokens = stream.result.tokens.map(({ token }) => token);
    if (flags.json) {
      const stopped = ended === 'stop-token';
      const record = {
        prompt: text,
        text: all,
        tokens,
        stopped,
        seconds,
        arithmetic: model.arithmetic,
      };
      return terminal.print(`${JSON.stringify(record)}\n`);
    }
    await terminal.print('\n');
    const rate = (prompt.length + tokens.length) / seconds;
    terminal.note(
      `${tokens.length} tokens; ${rate.toFixed(1)} tokens/s, the prompt included; ` +
        `arithmetic ${model.arithmetic}${flags.lookup ? `; ${guessed} tokens were guessed` : ''}`,
    );
  },
};
