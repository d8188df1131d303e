// glassformer generate: lets the language model of a file continue a text.

import { load } from '../models.js';
import { FILES, modelOf, opened } from './models.js';
import { defined, Failure, integer, number, UsageError } from './usage.js';

/** @typedef {import('../formats/tokenizer.js').TextTokenizer} TextTokenizer */

/** New tokens, unless the call says how many. */
const MAX = 128;

const HELP = `glassformer generate FILE TEXT

Continues a text with the language model of a file, and prints what is new while
it is made. In place of the text, - reads standard input.

  --max N           at most N new tokens: ${MAX} by default
  --temperature T   0, the default, takes the best token each time. Above 0
                    tokens are drawn: at 1 as likely as the model finds them
  --seed N          another seed, other draws: 0 by default
  --chat            TEXT is a message: the model answers, by the chat template of
                    its file
  --json            one object: prompt, text, tokens, seconds, and whether the model
                    ended the text by itself (stopped)
  --quiet           nothing but the text and errors

${FILES}

Examples
  glassformer generate smollm2.gguf "The cat sat on the"
  glassformer generate smollm2.gguf "Once upon a time" --temperature 0.8 --seed 3
  glassformer generate smollm2.gguf "What is a transformer?" --chat
  echo "The capital of France is" | glassformer generate smollm2.gguf - --max 8 --json
`;

/** What each new token adds to a text. A character that is not complete waits for the tokens that follow.
 * @param {TextTokenizer} tokenizer @param {readonly number[]} prompt */
function writer(tokenizer, prompt) {
  const tokens = [...prompt];
  let written = tokenizer.decode(tokens).length;
  /** @param {number | null} token null: it ends */
  return (token) => {
    if (token !== null) tokens.push(token);
    const text = tokenizer.decode(tokens);
    if (token !== null && text.endsWith('\ufffd')) return '';
    const added = text.slice(written);
    written = text.length;
    return added;
  };
}

/** A message as the model's template puts it.
 * @param {import('../models.js').Checkpoint} checkpoint @param {string} content */
async function chatOf(checkpoint, content) {
  const { chatTemplate, tokenizer } = checkpoint;
  if (chatTemplate === null || !tokenizer)
    throw new Failure('--chat: the file has no chat template');
  const { chatPrompt } = await import('../formats/chat.js');
  return tokenizer.encode(chatPrompt(checkpoint, [{ role: 'user', content }]), { special: false });
}

/** @type {import('./usage.js').Command} */
export const generate = {
  help: HELP,
  flags: {
    max: { type: 'string' },
    temperature: { type: 'string' },
    seed: { type: 'string' },
    chat: { type: 'boolean' },
  },
  async run({ flags, words, terminal }) {
    const [file, ...rest] = words;
    if (!file) throw new UsageError('missing file');
    if (!rest.length) throw new UsageError('missing text');
    const max = integer(flags, 'max') ?? MAX;
    const options = defined({
      maxNewTokens: max,
      temperature: number(flags, 'temperature') ?? 0,
      seed: integer(flags, 'seed'),
      signal: terminal.signal,
    });
    const { checkpoint, tokenizer, stops } = await opened(file, terminal);
    const given = rest.join(' ');
    const text = given === '-' ? (await terminal.text('-')).replace(/\r?\n$/, '') : given;
    const prompt = flags.chat ? await chatOf(checkpoint, text) : tokenizer.encode(text);
    if (!prompt.length) throw new UsageError('expected a text, received none');
    const model = await modelOf(await load(), file, checkpoint, terminal);
    terminal.progress(`reading the prompt  ${prompt.length} tokens`);
    const add = writer(tokenizer, prompt);
    /** @type {number[]} */
    const tokens = [];
    let all = '';
    const begin = performance.now();
    for await (const token of model.generate(prompt, { ...options, stopTokens: stops })) {
      tokens.push(token);
      const added = add(token);
      all += added;
      if (added && !flags.json) await terminal.print(added);
    }
    terminal.signal?.throwIfAborted();
    const last = add(null);
    all += last;
    const seconds = (performance.now() - begin) / 1000;
    if (flags.json) {
      const most = Math.min(max, checkpoint.config.maxLength - prompt.length + 1);
      const told = { prompt: text, text: all, tokens, stopped: tokens.length < most, seconds };
      return terminal.print(`${JSON.stringify(told)}\n`);
    }
    await terminal.print(`${last}\n`);
    const rate = (prompt.length + tokens.length) / seconds;
    terminal.note(`${tokens.length} tokens; ${rate.toFixed(1)} tokens/s, the prompt included`);
  },
};
