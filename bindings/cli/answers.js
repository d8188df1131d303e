// What a model of a file answers: the labels of its own head, or a text.

import { chatPrompt } from '../models/formats/chat.js';
import { classify, classifyTokens, generateText } from '../models/text/index.js';
import { classesOf } from '../models/text/own-classes.js';
import { opened } from './models.js';
import { Failure } from './usage.js';

/** @typedef {import('./terminal.js').Terminal} Terminal */
/** What is printed: of a line for people, and of a line of JSON besides the source.
 * @typedef {{ text: string, record: object }} Answer */

/** @param {string} text @param {number} probability */
const likely = (text, probability) => `${text}  ${probability.toFixed(4)}`;

/** Why a model answers nothing, and what to do with it.
 * @param {{ config: { kind: string }, labels: readonly string[] | null }} model @param {string | null} chatTemplate @param {string} file */
function checkAnswers({ config, labels }, chatTemplate, file) {
  if (labels || config.kind === 'transformer') return;
  const instead =
    config.kind === 'bert'
      ? `an encoder without labels gives no answer: for vectors, use glassformer embed`
      : `the file has no chat template: to continue a text, use glassformer generate`;
  if (config.kind === 'bert' || chatTemplate === null) throw new Failure(`${file}: ${instead}`);
}

/** Opens a file; gives what answers its questions.
 * @param {string} file @param {Terminal} terminal
 * @param {import('../js/stored/matrix.js').Arithmetic} [arithmetic]
 * @returns {Promise<(source: string) => Promise<Answer>>} */
export async function answersOf(file, terminal, arithmetic) {
  const { model, tokenizer, chatTemplate, labels, multiLabel } = await opened(
    file,
    terminal,
    arithmetic,
  );
  const { config } = model;
  checkAnswers({ config, labels }, chatTemplate, file);
  const { signal } = terminal;
  if (labels && classesOf(config) === 'texts') {
    return async (source) => {
      const answers = await classify(model, tokenizer, [source], labels, { signal, multiLabel });
      const [{ label, probability, probabilities }] = answers;
      const several = multiLabel ? Object.entries(probabilities).filter(([, p]) => p > 0.5) : [];
      const text = several.length
        ? several.map(([name, p]) => likely(name, p)).join('\n')
        : likely(label, probability);
      return { text, record: { label, probability, probabilities } };
    };
  }
  if (labels) {
    return async (source) => {
      const answers = await classifyTokens(model, tokenizer, [source], labels, {
        signal,
        multiLabel,
      });
      const tokens = answers[0].map(({ token, label, probability }) => {
        const [text] = tokenizer.tokens([token]);
        return { text, label, probability };
      });
      const lines = tokens.map(({ text, label, probability }) =>
        likely(`${text}  ${label}`, probability),
      );
      return { text: lines.join('\n'), record: { tokens } };
    };
  }
  return async (source) => {
    const chatting = { chatTemplate, tokenizer };
    const prompt =
      config.kind === 'gpt'
        ? tokenizer.encode(chatPrompt(chatting, [{ role: 'user', content: source }]), {
            special: false,
          })
        : source;
    const { text } = await generateText(model, tokenizer, prompt, { signal });
    signal?.throwIfAborted();
    return { text, record: { answer: text } };
  };
}
