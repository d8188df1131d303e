// The names and shapes of a model's parameters, in the order in which the core makes them.

/** @typedef {import('./config.js').ModelConfig} ModelConfig */
/** @typedef {[name: string, shape: number[]]} Parameter */

/** @param {ModelConfig} config
 * @returns {Map<string, number[]>} */
export function parametersOf(config) {
  const { kind, vocab, dModel, heads, kvHeads, dFF, bias } = config;
  const kvWidth = (dModel / heads) * kvHeads;

  /** @param {string} name @param {number} rows @returns {Parameter[]} */
  const table = (name, rows) => (rows ? [[`${name}.weight`, [rows, dModel]]] : []);
  /** @param {string} name @param {number} rows @param {number} columns @param {boolean} [biased]
   * @returns {Parameter[]} */
  const linear = (name, rows, columns, biased = bias) => [
    [`${name}.weight`, [rows, columns]],
    .../** @type {Parameter[]} */ (biased ? [[`${name}.bias`, [columns]]] : []),
  ];
  /** @param {string} name @returns {Parameter[]} */
  const norm = (name) => [
    [`${name}.weight`, [dModel]],
    .../** @type {Parameter[]} */ (
      bias && config.norm === 'layer' ? [[`${name}.bias`, [dModel]]] : []
    ),
  ];
  /** @param {string} name */
  const attention = (name) => [
    ...linear(`${name}.q_proj`, dModel, dModel),
    ...linear(`${name}.k_proj`, dModel, kvWidth),
    ...linear(`${name}.v_proj`, dModel, kvWidth),
    ...linear(`${name}.out_proj`, dModel, dModel),
  ];
  /** @param {string} name */
  const feedForward = (name) => [
    ...(config.activation === 'swiglu' ? linear(`${name}.gate`, dModel, dFF) : []),
    ...linear(`${name}.linear1`, dModel, dFF),
    ...linear(`${name}.linear2`, dFF, dModel),
  ];
  /** @param {string} layer @param {Parameter[][]} sublayers */
  const normed = (layer, ...sublayers) =>
    sublayers.flatMap((body, i) => {
      const around = norm(`${layer}.norm${i + 1}`);
      return config.preNorm ? [...around, ...body] : [...body, ...around];
    });
  /** @param {string} stack @param {number} layers @param {string[]} attentions */
  const stack = (stack, layers, ...attentions) => [
    ...table(`${stack}.position_embedding`, config.positions === 'learned' ? config.maxLength : 0),
    ...(config.embeddingNorm ? norm(`${stack}.embedding_norm`) : []),
    ...Array.from({ length: layers }, (_, i) => `${stack}.layers.${i}`).flatMap((layer) =>
      normed(layer, ...attentions.map((name) => attention(`${layer}.${name}`)), feedForward(layer)),
    ),
    ...(config.finalNorm ? norm(`${stack}.norm`) : []),
  ];
  const logits = () => {
    if (!vocab) return [];
    const all = linear('logits', dModel, vocab, config.outputBias);
    return config.tied ? all.slice(1) : all;
  };

  const { layers, decoderLayers } = config;
  if (kind === 'gpt') {
    return new Map([
      ...table('embedding', vocab),
      ...stack('decoder', layers, 'self_attn'),
      ...logits(),
    ]);
  }
  if (kind === 'bert') {
    return new Map([
      ...table('embedding', vocab),
      ...table('token_type_embedding', config.tokenTypes),
      ...stack('encoder', layers, 'self_attn'),
      ...(config.pooler ? linear('pooler.dense', dModel, dModel, true) : []),
      ...(vocab && config.prediction
        ? [...linear('prediction.dense', dModel, dModel, true), ...norm('prediction.norm')]
        : []),
      ...logits(),
    ]);
  }
  return new Map([
    ...table('embedding', vocab),
    ...table('source_embedding', vocab && config.sourceVocab),
    ...stack('encoder', layers, 'self_attn'),
    ...(decoderLayers
      ? [...stack('decoder', decoderLayers, 'self_attn', 'cross_attn'), ...logits()]
      : []),
  ]);
}
