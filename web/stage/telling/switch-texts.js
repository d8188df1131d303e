// Where the texts about what can be removed are: what it is called, and what is claimed about it.

/** @type {Readonly<Record<string, { name: string, claim: string }>>} */
export const SWITCH_TEXTS = {
  embedding: { name: 'switches/embedding', claim: 'switches/claims/embedding' },
  scores: { name: 'switches/scores', claim: 'switches/claims/scores' },
  mix: { name: 'switches/mix', claim: 'switches/claims/mix' },
  scale: { name: 'switches/scale', claim: 'switches/claims/scale' },
  mask: { name: 'switches/mask', claim: 'switches/claims/mask' },
  softmax: { name: 'switches/softmax', claim: 'switches/claims/softmax' },
  projections: { name: 'switches/projections', claim: 'switches/claims/projections' },
  w_o: { name: 'switches/w_o', claim: 'switches/claims/w_o' },
  positions: { name: 'switches/positions', claim: 'switches/claims/positions' },
  norm: { name: 'switches/norm', claim: 'switches/claims/norm' },
  residual: { name: 'switches/residual', claim: 'switches/claims/residual' },
};
