// Keys of texts.

/** @type {Readonly<Record<string, string>>} */
export const SWITCH_TEXTS = {
  embedding: 'switches/embedding',
  scores: 'switches/scores',
  mix: 'switches/mix',
  scale: 'switches/scale',
  mask: 'switches/mask',
  softmax: 'switches/softmax',
  projections: 'switches/projections',
  w_o: 'switches/w_o',
  positions: 'switches/positions',
  norm: 'switches/norm',
  residual: 'switches/residual',
};

/** @type {Readonly<Record<string, string>>} */
export const SWITCH_CLAIMS = {
  embedding: 'switches/claims/embedding',
  scores: 'switches/claims/scores',
  mix: 'switches/claims/mix',
  scale: 'switches/claims/scale',
  mask: 'switches/claims/mask',
  softmax: 'switches/claims/softmax',
  projections: 'switches/claims/projections',
  w_o: 'switches/claims/w_o',
  positions: 'switches/claims/positions',
  norm: 'switches/claims/norm',
  residual: 'switches/claims/residual',
};
