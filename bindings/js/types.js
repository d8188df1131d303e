// The types of the main entry by name: everything that its functions take and give.

// ---- What load gives, and its parts ----

/** @typedef {import('./tape/tape.js').Tape} Tape */
/** @typedef {import('./tape/tensor.js').Tensor} Tensor */
/** @typedef {import('./model/model.js').Model} Model */
/** @typedef {import('./model/run.js').Run} Run */
/** @typedef {import('./trace/trace-example.js').Trace} Trace */
/** @typedef {import('./model/model-trace.js').ModelTrace} ModelTrace */
/** @typedef {import('./model/inspect.js').Inspection} Inspection */
/** @typedef {import('./model/weights.js').Parameter} Parameter */
/** @typedef {import('./model/weights.js').Parameters} Parameters */

// ---- Plain data and its forms ----

/** @typedef {import('./base/values.js').Values} Values */
/** @typedef {import('./base/values.js').Mask} Mask */
/** @template T @typedef {import('./base/values.js').Nested<T>} Nested */
/** @typedef {import('./base/values.js').NestedNumbers} NestedNumbers */
/** @template T @typedef {import('./base/values.js').Flat<T>} Flat */
/** @typedef {import('./base/values.js').TypedArray} TypedArray */
/** @typedef {import('./base/values.js').Data} Data */
/** @typedef {import('./eager/forms.js').Plain} Plain */
/** @typedef {import('./eager/forms.js').PlainIds} PlainIds */
/** @template V @typedef {import('./eager/forms.js').Like<V>} Like */
/** @template V @typedef {import('./eager/forms.js').LikeIds<V>} LikeIds */
/**
 * @template V
 * @template {0[]} R
 * @typedef {import('./eager/forms.js').Form<V, R>} Form */
/** @template V @typedef {import('./eager/forms.js').Rank<V>} Rank */
/** @template {0[]} R @typedef {import('./eager/forms.js').Less<R>} Less */
/**
 * @template {0[]} A
 * @template {0[]} B
 * @typedef {import('./eager/forms.js').Longer<A, B>} Longer */
/** @template {0[]} R @typedef {import('./eager/forms.js').InArrays<R>} InArrays */
/**
 * @template A
 * @template B
 * @typedef {import('./eager/forms.js').Multiplied<A, B>} Multiplied */
/**
 * @template V
 * @template R
 * @typedef {import('./eager/forms.js').Reduced<V, R>} Reduced */
/**
 * @template V
 * @template A
 * @template K
 * @typedef {import('./eager/forms.js').Summed<V, A, K>} Summed */
/**
 * @template V
 * @template H
 * @typedef {import('./eager/forms.js').Scores<V, H>} Scores */

// ---- The functions on plain data ----

/**
 * @template V
 * @template {number} [H=number]
 * @template {AttentionStep} [S=AttentionStep]
 * @typedef {import('./eager/attention.js').AttentionValues<V, H, S>} AttentionValues */
/**
 * @template V
 * @template H
 * @template {AttentionStep} S
 * @typedef {import('./eager/attention.js').AttentionResult<V, H, S>} AttentionResult */
/** @typedef {import('./eager/attention.js').Step} AttentionStep */
/** @typedef {import('../generated/ops.js').Eager} Eager */
/** @typedef {import('./eager/masking.js').MaskValues} MaskValues */
/** @typedef {import('./eager/softmax.js').AxisOption} AxisOption */
/** @typedef {import('./eager/rows.js').NormOptions} NormOptions */
/** @typedef {import('./eager/products.js').GemmOptions} GemmOptions */
/** @typedef {import('./eager/losses.js').Reduction} Reduction */
/** @template {Reduction} [R=Reduction] @typedef {import('./eager/losses.js').NllOptions<R>} NllOptions */
/**
 * @template {Reduction} [R=Reduction]
 * @typedef {import('./eager/losses.js').CrossEntropyOptions<R>} CrossEntropyOptions */
/** @typedef {import('./eager/numbers.js').AdamOptions} AdamOptions */
/**
 * @template V
 * @template [M=Values|null]
 * @typedef {import('./eager/numbers.js').AdamState<V, M>} AdamState */
/**
 * @template V
 * @template M
 * @typedef {import('./eager/numbers.js').AdamResult<V, M>} AdamResult */
/** @typedef {import('./eager/numbers.js').Schedule} Schedule */

// ---- Tapes ----

/** @typedef {import('./tape/tape.js').PlanOptions} PlanOptions */
/** @typedef {import('./tape/attention.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./ops/mask.js').MaskOptions} MaskOptions */
/** @typedef {import('./ops/cross_entropy.js').CrossEntropyOptions} TapeCrossEntropyOptions */
/** @typedef {import('./tape/description.js').Description} Description */
/** @typedef {import('./tape/description.js').Role} Role */
/** @typedef {import('./tape/description.js').Axis} Axis */
/** @typedef {import('./tape/description.js').Sequence} Sequence */
/** @typedef {import('./tape/description.js').Stack} Stack */
/** @typedef {import('./tape/description.js').Part} Part */
/** @typedef {import('./tape/description.js').Parameter} ParameterKind */
/** @typedef {import('./tape/description.js').NodeRemoval} NodeRemoval */
/** @typedef {import('../generated/layout.js').RemovalName} RemovalName */
/** @typedef {import('./tape/tensor.js').Kind} TensorKind */

/** @typedef {import('./stored/matrix.js').StoredMatrix} StoredMatrix */
/** @typedef {import('./stored/matrix.js').StoredType} StoredType */
/** @typedef {import('./stored/numbers.js').StoredNumbers} StoredNumbers */
/** @typedef {import('./stored/numbers.js').StoredWeight} StoredWeight */

// ---- Models ----

/** @typedef {import('./model/config/config.js').ModelOptions} ModelOptions */
/** @typedef {import('./model/config/config.js').Config} Config */
/** @typedef {import('./model/config/config.js').Kind} Kind */
/** @typedef {import('./model/config/config.js').Positions} Positions */
/** @typedef {import('./model/config/config.js').Activation} Activation */
/** @typedef {import('./model/config/config.js').Head} Head */
/** @typedef {import('./model/config/config.js').Removal} Removal */
/** @typedef {import('./model/inputs/inputs.js').Inputs} Inputs */
/** @typedef {import('./model/ready.js').RunOptions} RunOptions */
/** @typedef {import('./model/model-trace.js').ModelTraceOptions} ModelTraceOptions */
/** @typedef {import('./model/summary.js').Lengths} Lengths */
/** @typedef {import('./model/summary.js').Summary} Summary */
/** @typedef {import('./model/summary.js').Row} SummaryRow */
/** @typedef {import('./model/batches.js').Batch} Batch */
/** @typedef {import('./model/batches.js').Item} BatchItem */
/** @typedef {import('./model/batches.js').BatchOptions} BatchOptions */
/** @typedef {import('./model/batches.js').Ids} Ids */
/** @typedef {import('./model/train.js').TrainBatch} TrainBatch */
/** @typedef {import('./model/train.js').TrainOptions} TrainOptions */
/** @typedef {import('./model/train.js').Step} TrainStep */
/** @typedef {import('./model/train.js').TapeBatch} TapeBatch */
/** @typedef {import('./model/train.js').TapeStep} TapeStep */
/** @typedef {import('./model/train.js').TapeTrainOptions} TapeTrainOptions */
/** @typedef {import('./model/adam.js').ParameterShape} ParameterShape */
/** @typedef {import('./model/adam.js').GroupOptions} GroupOptions */
/** @typedef {import('./ops/kit/reductions.js').ReduceOptions} ReduceOptions */
/** @typedef {import('./model/inspect.js').Update} Update */
/** @typedef {import('./model/decode/generate.js').GenerateOptions} GenerateOptions */
/** @typedef {import('./model/decode/generate.js').GeneratedStep} GeneratedStep */
/** @typedef {import('./model/decode/beam.js').Hypothesis} Hypothesis */
/**
 * @template T
 * @template [R=T[]]
 * @typedef {import('./base/turn.js').Stream<T, R>} Stream */
/** @typedef {import('./model/file.js').Read} ReadModel */
/** @typedef {import('./model/file.js').Parameters} ReadParameters */
/** @typedef {import('./model/file.js').SavedVocabulary} SavedVocabulary */
/** @typedef {import('./model/file.js').SaveOptions} SaveOptions */
/** @typedef {import('./formats/safetensors.js').Bytes} Bytes */

// ---- Worked examples and traces ----

/** @typedef {import('./trace/example.js').Example} Example */
/** @typedef {import('./trace/example.js').Seeded} Seeded */
/** @typedef {import('./trace/example.js').Printed} Printed */
/** @typedef {import('./trace/example.js').Codes} Codes */
/** @typedef {import('./trace/example.js').Cut} Cut */
/** @typedef {import('./trace/example.js').Patches} Patches */
/** @typedef {import('./trace/example.js').ExampleAside} ExampleAside */
/** @typedef {import('./trace/example-layers.js').ExampleLayer} ExampleLayer */
/** @typedef {import('./trace/example-layers.js').ExampleAdam} ExampleAdam */
/** @typedef {import('./trace/example.js').Removal} ExampleRemoval */
/** @typedef {import('./trace/example.js').Removable} Removable */
/** @typedef {import('./trace/sentence.js').SentenceOptions} SentenceOptions */
/** @typedef {import('./trace/sentence.js').Positions} SentencePositions */
/** @typedef {import('./trace/trace-example.js').TraceOptions} TraceOptions */
/** @typedef {import('./trace/trace-example.js').TraceJSON} TraceJSON */
/** @typedef {import('./trace/trace-example.js').JSONNumber} JSONNumber */
/** @typedef {import('./trace/steps.js').Step} Step */
/** @typedef {import('./trace/steps.js').StepFacts} StepFacts */
/** @typedef {import('./trace/steps.js').Edit} Edit */
/** @typedef {import('./trace/nudge.js').Nudge} Nudge */
/** @typedef {import('./trace/printed.js').PrintedNode} PrintedNode */
/** @typedef {import('./trace/printed.js').Mismatch} Mismatch */
/** @typedef {import('./number/judge.js').Verdict} Verdict */
/** @typedef {import('./trace/printed.js').Aside} Aside */
/** @typedef {import('./trace/explain.js').Explanation} Explanation */
/** @typedef {import('./ops/kit/cells.js').Cell} Cell */
/** @typedef {import('./trace/explain.js').Class} Class */
/** @typedef {import('./trace/explain.js').Loss} Loss */
/** @typedef {import('./ops/kit/cells.js').Exponential} Exponential */
/** @typedef {import('./ops/kit/cells.js').Product} Product */
/** @typedef {import('./ops/kit/cells.js').Term} Term */
/** @typedef {import('./model/gradient.js').GradientTerm} GradientTerm */
/** @typedef {import('./ops/kit/partials.js').Parts} Parts */
/** @typedef {import('./trace/explain.js').Steps} Steps */
/** @typedef {import('./trace/chain.js').Chain} Chain */
/** @typedef {import('./trace/chain.js').Link} Link */
/** @typedef {import('./trace/chain.js').Run} ChainSteps */

// ---- Errors ----

/** @typedef {import('./base/errors.js').Code} ErrorCode */
/** @typedef {import('./base/message.js').Message} Message */
/** @typedef {import('./base/message.js').Param} Param */
/** @typedef {import('./base/message.js').Params} Params */

export {};
