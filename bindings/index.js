// Glassformer: a transformer you can see through. The core is inlined: nothing to configure.

import { core } from './js/embedded.js';
import { glassformer } from './js/glassformer.js';
import { start } from './js/runtime/engine.js';

export * from './api.js';

/** @typedef {import('./js/runtime/engine.js').LoadOptions} LoadOptions */
/**
 * @template {object} B
 * @typedef {import('./js/runtime/engine.js').Core<B>} Core */
/**
 * @template {object} B
 * @typedef {import('./js/runtime/engine.js').CoreOptions<B>} CoreOptions */
/** @typedef {import('./models/open/index.js').Opened} Opened */
/** @typedef {import('./models/open/index.js').OpenOptions} OpenOptions */
/** @typedef {import('./models/open/place.js').ModelSource} ModelSource */
/** @typedef {import('./models/open/tokenizer.js').OpenTokenizer} OpenTokenizer */
/** @typedef {import('./js/glassformer.js').Glassformer} Glassformer */

/** Compiles the core, which is inlined, and gives its functions. Another core is chosen by `core`: several threads,
 * relaxed SIMD, a file of its own.
 * @template {object} [B={}]
 * @param {LoadOptions | CoreOptions<B>} [options]
 * @returns {Promise<Glassformer & B>}
 * @example
 * import { load } from 'glassformer';
 * import { threads } from 'glassformer/cores';
 *
 * const gf = await load();
 * gf.softmax([[0, 0]]); // = [[0.5, 0.5]]
 * const shared = await load({ core: threads(2) });
 * shared.softmax([[0, 0]]); // = [[0.5, 0.5]]
 * shared.dispose(); // ends its threads */
export async function load(options) {
  return /** @type {Glassformer & B} */ (glassformer(await start(core, options)));
}

/** Opens a model with all that comes with it: its tokenizer, its chat template, the tokens that end a text. Reads GGUF,
 * folders of Hugging Face, llama2.c, and what `model.save()` and `glassformer train` write.
 * @param {ModelSource} source a path or folder (in Node), an address, the files of an `<input>`, a File or bytes
 * @param {OpenOptions} [options]
 * @returns {Promise<Opened>} rejects with the signal's reason once it came
 * @example
 * import { open } from 'glassformer';
 * import { generateText } from 'glassformer/text';
 *
 * const story = import.meta.resolve('glassformer/models/stories.safetensors');
 * const { model, tokenizer } = await open(story); // or: open('smollm2.gguf')
 * let text = 'Mia and Ben are in the park. Mia has a';
 * for await (const part of generateText(model, tokenizer, text, { maxNewTokens: 8 })) text += part;
 * text.startsWith('Mia and Ben are in the park. Mia has a '); // = true */
export async function open(source, options) {
  const { openModel } = await import('./models/open/index.js');
  return openModel(load, source, options);
}
