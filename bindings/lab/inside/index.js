// The entry for experiments on a running model: functions of a model and of what it reads.

export { ablate, patch } from './ablate.js';
export { logitAttribution } from './attribution.js';
export { circuits } from './circuits.js';
export { contexts } from './contexts.js';
export { attributionPatch } from './gradient.js';
export { information } from './information.js';
export { labelShares } from './label-shares.js';
export { logitLens } from './lens.js';
export { neighbours } from './neighbours.js';
export { paths } from './paths.js';
export { probe } from './probe.js';
export { recurrence } from './recurrence.js';
export { headRoles } from './roles.js';
export { rollout } from './rollout.js';
export { headScores } from './scores.js';
export { symmetry } from './symmetry.js';
export { why } from './why.js';
export { withoutHead } from './without-head.js';

/** @typedef {import('./ablate.js').Ablation} Ablation */
/** @typedef {import('./ablate.js').AblateOptions} AblateOptions */
/** @typedef {import('./ablate.js').ChangedPlace} ChangedPlace */
/** @typedef {import('./ablate.js').Patching} Patching */
/** @typedef {import('./ablate.js').PatchOptions} PatchOptions */
/** @typedef {import('./ablate.js').Where} Where */
/** @typedef {import('./attention.js').AttentionPlace} AttentionPlace */
/** @typedef {import('./attribution.js').AttributionOptions} AttributionOptions */
/** @typedef {import('./attribution.js').LogitAttribution} LogitAttribution */
/** @typedef {import('./attribution.js').LogitPart} LogitPart */
/**
 * @template P
 * @typedef {import('./attribution.js').Sum<P>} Sum */
/** @typedef {import('./bench.js').Listener} Listener */
/** @typedef {import('./circuits.js').Circuits} Circuits */
/** @typedef {import('./circuits.js').CircuitsOptions} CircuitsOptions */
/** @typedef {import('./contexts.js').ContextOptions} ContextOptions */
/** @typedef {import('./contexts.js').Contexts} Contexts */
/** @typedef {import('./contexts.js').ContextState} ContextState */
/** @typedef {import('./gradient.js').AttributionPatching} AttributionPatching */
/** @typedef {import('./gradient.js').AttributionPatchOptions} AttributionPatchOptions */
/** @typedef {import('./label-shares.js').LabelShare} LabelShare */
/** @typedef {import('./label-shares.js').LabelShareOptions} LabelShareOptions */
/** @typedef {import('./label-shares.js').LabelShares} LabelShares */
/** @typedef {import('./lens.js').Axis} GridAxis */
/** @typedef {import('./lens.js').Grid} Grid */
/** @typedef {import('./lens.js').LensOptions} LensOptions */
/** @typedef {import('./lens.js').LensRow} LensRow */
/** @typedef {import('./lens.js').LogitLens} LogitLens */
/** @typedef {import('./metric.js').Measured} Measured */
/** @typedef {import('./metric.js').MetricKind} MetricKind */
/** @typedef {import('./metric.js').MetricOptions} MetricOptions */
/** @typedef {import('./neighbours.js').NeighbourOptions} NeighbourOptions */
/** @typedef {import('./neighbours.js').Neighbours} Neighbours */
/** @typedef {import('./parts.js').Origin} Origin */
/** @typedef {import('./parts.js').Source} Source */
/** @typedef {import('./paths.js').HeadInput} HeadInput */
/** @typedef {import('./paths.js').PathOptions} PathOptions */
/** @typedef {import('./paths.js').PathPart} PathPart */
/** @typedef {import('./paths.js').Paths} Paths */
/** @typedef {import('./paths.js').Receiver} Receiver */
/** @typedef {import('./places.js').Each} Each */
/** @typedef {import('./places.js').Place} Place */
/** @typedef {import('./probe.js').Accuracy} Accuracy */
/** @typedef {import('./probe.js').Probe} Probe */
/** @typedef {import('./probe.js').ProbeExample} ProbeExample */
/** @typedef {import('./probe.js').ProbeOptions} ProbeOptions */
/** @typedef {import('./recurrence.js').Reach} Reach */
/** @typedef {import('./recurrence.js').Recurrence} Recurrence */
/** @typedef {import('./recurrence.js').RecurrenceOptions} RecurrenceOptions */
/** @typedef {import('./recurrence.js').RecurrentStep} RecurrentStep */
/** @typedef {import('./replace.js').Value} Value */
/** @typedef {import('./roles.js').HeadRole} HeadRole */
/** @typedef {import('./roles.js').HeadRoles} HeadRoles */
/** @typedef {import('./roles.js').HeadRolesOptions} HeadRolesOptions */
/** @typedef {import('./roles.js').Link} Link */
/** @typedef {import('./roles.js').LinkedText} LinkedText */
/** @typedef {import('./roles.js').Relation} Relation */
/** @typedef {import('./roles.js').RelationScore} RelationScore */
/** @typedef {import('./rollout.js').Rollout} Rollout */
/** @typedef {import('./rollout.js').RolloutLayer} RolloutLayer */
/** @typedef {import('./rollout.js').RolloutOptions} RolloutOptions */
/** @typedef {import('./scores.js').HeadScore} HeadScore */
/** @typedef {import('./scores.js').HeadScoreOptions} HeadScoreOptions */
/** @typedef {import('./scores.js').HeadScores} HeadScores */
/** @typedef {import('./symmetry.js').HeadSymmetry} HeadSymmetry */
/** @typedef {import('./symmetry.js').Symmetry} Symmetry */
/** @typedef {import('./verdicts.js').OrderVerdict} OrderVerdict */
/** @typedef {import('./verdicts.js').ReachVerdict} ReachVerdict */
/** @typedef {import('./verdicts.js').RelationVerdict} RelationVerdict */
/** @typedef {import('./verdicts.js').Says} Says */
/** @typedef {import('./verdicts.js').Verdicts} Verdicts */
/** @typedef {import('./why.js').Pairs} Pairs */
/** @typedef {import('./why.js').Why} Why */
/** @typedef {import('./why.js').WhyOptions} WhyOptions */
/** @typedef {import('./without-head.js').HeadPlace} HeadPlace */
