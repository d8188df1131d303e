// What others call our options and their values: PyTorch, Hugging Face, Keras, nanoGPT. In lower case, without underscores.

/** Ours, then theirs. @type {Readonly<Record<string, string>>} */
const SYNONYMS = {
  heads: 'numheads nhead nheads numattentionheads',
  kvHeads: 'numkvheads numkeyvalueheads',
  dModel: 'hiddensize embeddim nembd',
  dFF: 'intermediatesize dimfeedforward ffndim',
  layers: 'nlayer nlayers numlayers numhiddenlayers numencoderlayers',
  decoderLayers: 'numdecoderlayers',
  vocab: 'vocabsize',
  maxLength: 'nctx blocksize maxpositionembeddings',
  activation: 'hiddenact',
  epsilon: 'eps layernormeps',
  p: 'dropoutrate',
  dropout: 'pdrop dropoutrate',
  learningRate: 'lr',
  rate: 'lr learningrate',
  steps: 'maxsteps',
  warmup: 'warmupsteps',
  clip: 'maxgradnorm',
  accumulate: 'gradientaccumulationsteps',
  tokens: 'batchsize',
  source: 'inputids src',
  target: 'inputids tgt decoderinputids',
  tokenTypes: 'tokentypeids',
  mask: 'attnmask attentionmask',
  sourceMask: 'attentionmask',
  targetMask: 'attentionmask',
  lengths: 'keypaddingmask',
  causal: 'iscausal',
  q: 'query',
  k: 'key',
  v: 'value',
  maxNewTokens: 'maxtokens maxlength',
  stopTokens: 'eostokenid',
  temperature: 'dosample',
  schema: 'responseformat jsonschema',
  rank: 'r',
  alpha: 'loraalpha',
  targets: 'targetmodules',
  at: 'layer neuron position',
  metric: 'token against',
  start: 'bostokenid decoderstarttokenid',
  beams: 'numbeams',
  axis: 'dim',
  first: 'cls',
  last: 'lasttoken',
  feed_forward: 'mlp ffn',
  silu: 'swish',
};

/** Which of the known names the given one stands for elsewhere.
 * @param {string} word @param {readonly string[]} allowed */
export function synonymsOf(word, allowed) {
  const theirs = word.replaceAll('_', '').toLowerCase();
  /* The same word, written otherwise, is no other. */
  if (allowed.some((ours) => ours.toLowerCase() === theirs)) return [];
  return allowed.filter((ours) => SYNONYMS[ours]?.split(' ').includes(theirs));
}
