// glassformer chat: messages from standard input, and what the language model of a file answers.

import {
  ARITHMETIC_FLAG,
  ARITHMETIC_HELP,
  arithmeticOf,
  FILES,
  GENERATION_FLAGS,
  GENERATION_HELP,
  generationOf,
  opened,
  written,
} from './models.js';
import { defined, Failure, integer, Missing, UsageError } from './usage.js';

/** @typedef {import('./usage.js').Flags} Flags */
/** @typedef {import('./terminal.js').Terminal} Terminal */

const HELP = `glassformer chat FILE

Chats with the language model of a file: each line of standard input is a
message, and the answer appears as it is written. A turn reads only what is new.
A chat that becomes too long loses its oldest turns, never the system message.

  --system TEXT     an instruction that the model reads first
${GENERATION_HELP}
  --variables JSON  for the chat template, such as {"enable_thinking": false}
${ARITHMETIC_HELP}
  --json            one object for each turn: message, text, tokens, ended,
                    seed, firstSeconds, seconds, trimmed
  --quiet           nothing but the answers and errors

${FILES}

Examples
  glassformer chat smollm2.gguf
  glassformer chat smollm2.gguf --system "Answer in one sentence." --temperature 0.7
  printf 'Who are you?\\nSay it shorter.\\n' | glassformer chat smollm2.gguf --json
`;

/** @param {Flags} flags
 * @returns {Record<string, unknown> | undefined} */
function variablesOf({ variables }) {
  if (variables === undefined) return undefined;
  try {
    return JSON.parse(String(variables));
  } catch (error) {
    throw new UsageError(`--variables: expected JSON (${/** @type {Error} */ (error).message})`);
  }
}

/** One turn: the answer as it comes, or a record of it.
 * @param {import('../chat.js').Session} talk @param {string} message @param {Terminal} terminal @param {boolean} isJson */
async function turn(talk, message, terminal, isJson) {
  const { text, tokens, ended, seed, ...times } = await written(
    talk.ask(message),
    terminal,
    isJson,
  );
  const { firstSeconds, seconds } = times;
  const { trimmed } = talk;
  const record = { message, text, tokens, ended, seed, firstSeconds, seconds, trimmed };
  await terminal.print(isJson ? `${JSON.stringify(record)}\n` : '\n');
}

/** @type {import('./usage.js').Command} */
export const chat = {
  help: HELP,
  flags: {
    system: { type: 'string' },
    ...GENERATION_FLAGS,
    variables: { type: 'string' },
    ...ARITHMETIC_FLAG,
  },
  async run({ flags, words, terminal }) {
    const [file, ...rest] = words;
    if (!file) throw new Missing('file');
    if (rest.length) throw new UsageError('messages come from standard input, one a line');
    const settings = defined({
      ...generationOf(flags),
      system: flags.system,
      ...{ variables: variablesOf(flags), signal: terminal.signal },
    });
    const arithmetic = arithmeticOf(flags);
    const maxLength = integer(flags, 'context');
    const { model, tokenizer, chatTemplate } = await opened(file, terminal, arithmetic, maxLength);
    if (chatTemplate === null) throw new Failure(`${file}: the file has no chat template`);
    const { session } = await import('../chat.js');
    const talk = session(model, { ...settings, tokenizer, chatTemplate });
    terminal.prompt('> ');
    for await (const { line, text } of terminal.lines()) {
      if (text === null) throw new Failure(`line ${line} is longer than 1 MiB`);
      if (text.trim()) await turn(talk, text, terminal, Boolean(flags.json));
      terminal.prompt('> ');
    }
    const { length: n } = talk.messages.filter(({ role }) => role === 'user');
    terminal.note(n === 1 ? '1 turn' : `${n} turns`);
  },
};
