// Which of some files is which, and where the files of a checkpoint lie.

/** @typedef {import('./answers.js').Files} Files */

/** The files by the names that checkpoints give them. @type {Record<Exclude<keyof Files, 'parts'>, string>} */
export const NAMES = {
  config: 'config.json',
  weights: 'model.safetensors',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
  chatTemplate: 'chat_template.jinja',
  generation: 'generation_config.json',
};

/** What llama2.c has beside its .bin. */
export const TOKENS = 'tokenizer.bin';

/** @param {import('./answers.js').Given} file */
export const nameOf = (file) =>
  typeof file === 'string' ? (new URL(file).pathname.split('/').at(-1) ?? '') : file.name;

/** Whether a file is a model by itself, or leads to its parts. @param {import('./answers.js').Given} weights */
const isWhole = (weights) => /\.(gguf|bin|index\.json)$/i.test(nameOf(weights));

/** Whether a model opens by its header, and its weights stay as they are stored: all but what model.save() wrote.
 * @param {Files} files */
export const isStored = ({ weights, parts, config }) =>
  parts !== undefined || config !== undefined || isWhole(weights);

/**
 * The files that were chosen or dropped; null if there are no weights among them.
 * @param {Iterable<File>} chosen
 * @returns {Files | null}
 */
export function filesOf(chosen) {
  const all = [...chosen];
  const named = (/** @type {string} */ name) => all.find((file) => file.name === name);
  const ending = (/** @type {string} */ end) =>
    all.filter(({ name }) => name.toLowerCase().endsWith(end) && name !== TOKENS);
  const [gguf] = ending('.gguf');
  if (gguf) return { weights: gguf };
  const tensors = ending('.safetensors').sort((a, b) => (a.name < b.name ? -1 : 1));
  const [bin] = ending('.bin');
  if (tensors.length === 0) return bin ? { weights: bin, tokenizer: named(TOKENS) } : null;
  /* The weights may have any name; a single JSON file beside them is the config. */
  const whole = named(NAMES.weights);
  const weights = whole ?? tensors[0];
  const parts = whole || tensors.length === 1 ? {} : { parts: tensors };
  const [tokenizer, tokenizerConfig] = [named(NAMES.tokenizer), named(NAMES.tokenizerConfig)];
  const generation = named(NAMES.generation);
  const rest = all.filter(
    (file) =>
      /(?<!\.index)\.json$/.test(file.name) &&
      ![tokenizer, tokenizerConfig, generation].includes(file),
  );
  const config = named(NAMES.config) ?? (rest.length === 1 ? rest[0] : undefined);
  const chatTemplate = named(NAMES.chatTemplate);
  return { weights, ...parts, config, tokenizer, tokenizerConfig, chatTemplate, generation };
}

/** @param {string} address */
function urlOf(address) {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError(address);
  return url;
}

/**
 * The files that an address means: one that says all of its model, with what lies beside it, or those of a folder.
 * @param {string} address
 * @returns {Files}
 */
export function filesAt(address) {
  const url = urlOf(address);
  /* The page of a file on Hugging Face is not the file. */
  if (url.hostname === 'huggingface.co') {
    url.pathname = url.pathname.replace(/^((?:\/[^/]+){2})\/blob\//, '$1/resolve/');
  }
  const weights = url.href;
  if (!isWhole(weights)) return filesIn(folderOf(address));
  const beside = (/** @type {string} */ name) => new URL(name, url).href;
  const name = nameOf(weights).toLowerCase();
  if (name.endsWith('.gguf')) return { weights };
  if (name.endsWith('.bin')) return { weights, tokenizer: beside(TOKENS) };
  return { ...filesIn(beside('.')), weights };
}

/**
 * The folder that an address means: of a model's page on Hugging Face, its files.
 * @param {string} address
 */
export function folderOf(address) {
  const url = urlOf(address);
  const [owner, name, where, branch = 'main'] = url.pathname.split('/').filter(Boolean);
  if (url.hostname === 'huggingface.co' && owner && where !== 'resolve') {
    const model = name ? `${owner}/${name}` : owner;
    return `${url.origin}/${model}/resolve/${where ? branch : 'main'}/`;
  }
  return url.href.replace(/[?#].*$/, '').replace(/\/?$/, '/');
}

/**
 * The files that lie in a folder.
 * @param {string} folder
 * @returns {Files}
 */
export const filesIn = (folder) =>
  /** @type {Record<keyof typeof NAMES, string>} */ (
    Object.fromEntries(
      Object.entries(NAMES).map(([key, name]) => [key, new URL(name, folder).href]),
    )
  );
