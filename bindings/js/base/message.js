// A message is the name of a sentence and what fills it in. A table of sentences, in any language, makes a
// text of it.

/** What fills a sentence in: text that no language changes, numbers, a shape, or another message.
 * @typedef {string | number | boolean | null | readonly number[] | Message | readonly Message[]} Param */

/** @typedef {{ [name: string]: Param | undefined }} Params
 *   `where` goes before the sentence, what is `given` and a `hint` behind it */

/** @typedef {{ detail: string, params: Params }} Message detail: the sentence's name */

/** @param {Param | undefined} param
 * @returns {param is Message} */
const isMessage = (param) => typeof param === 'object' && param !== null && 'detail' in param;

/** @param {Readonly<Record<string, string>>} texts @param {Param | undefined} param
 * @returns {string} */
function textOf(texts, param) {
  if (isMessage(param)) return compose(texts, param);
  if (!Array.isArray(param)) return String(param);
  if (isMessage(param[0])) return param.map((one) => textOf(texts, one)).join('; ');
  return `[${param}]`;
}

/** The text of a message: "where: sentence, received this hint".
 * @param {Readonly<Record<string, string>>} texts the sentences, in which {name} is filled in
 * @param {Message} message
 * @returns {string} */
export function compose(texts, { detail, params }) {
  const { where, hint, given } = params;
  const sentence = given === undefined ? texts[detail] : texts[detail] + texts.received;
  const text = sentence.replace(/\{(\w+)\}/g, (_, name) => textOf(texts, params[name]));
  return `${where ? `${where}: ` : ''}${text}${hint ? ` ${textOf(texts, hint)}` : ''}`;
}
