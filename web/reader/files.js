// Which of some files is which, and where the files of a checkpoint lie.

/** @typedef {import('./answers.js').Files} Files */

/** The files by the names that checkpoints give them. @type {Record<keyof Files, string>} */
export const NAMES = {
  config: 'config.json',
  weights: 'model.safetensors',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
};

/**
 * The files that were chosen or dropped; null if there are no weights among them.
 * @param {Iterable<File>} chosen
 * @returns {Files | null}
 */
export function filesOf(chosen) {
  const all = [...chosen];
  const named = (/** @type {string} */ name) => all.find((file) => file.name === name);
  /* The weights may have any name; a single JSON file beside them is the config. */
  const weights = named(NAMES.weights) ?? all.find(({ name }) => name.endsWith('.safetensors'));
  if (!weights) return null;
  const [tokenizer, tokenizerConfig] = [named(NAMES.tokenizer), named(NAMES.tokenizerConfig)];
  const rest = all.filter(
    (file) => file.name.endsWith('.json') && file !== tokenizer && file !== tokenizerConfig,
  );
  const config = named(NAMES.config) ?? (rest.length === 1 ? rest[0] : undefined);
  return { weights, config, tokenizer, tokenizerConfig };
}

/**
 * The folder that an address means: of a model's page on Hugging Face, its files.
 * @param {string} address
 */
export function folderOf(address) {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError(address);
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
  /** @type {Files} */ (
    Object.fromEntries(
      Object.entries(NAMES).map(([key, name]) => [key, new URL(name, folder).href]),
    )
  );
