// What the trainer reported of a run: its curves, and its evaluations on the held-out pairs.

/** @typedef {import('../../workers/trainer/protocol.js').RunProgress} RunProgress */
/** @typedef {import('../../workers/trainer/protocol.js').StepFacts} StepFacts */
/** @typedef {import('../../workers/trainer/protocol.js').Evaluation} Evaluation */

export class Record {
  /** @param {number} first the step that it begins with: 0, or that of an opened file */
  constructor(first) {
    this.first = first;
    /** @type {StepFacts[]} */
    this.steps = [];
    /** @type {Evaluation[]} */
    this.evaluations = [];
    /** @type {import('../../workers/trainer/protocol.js').Failure | null} */
    this.ended = null;
  }

  /** @param {RunProgress} news */
  add({ steps, evaluations, ended }) {
    this.steps.push(...steps);
    this.evaluations.push(...evaluations);
    this.ended = ended;
  }

  /** Steps that were taken. */
  get last() {
    return this.first + this.steps.length;
  }

  /**
   * What was reported of a step.
   * @param {number} step
   * @returns {StepFacts | undefined}
   */
  at(step) {
    return this.steps[step - this.first - 1];
  }

  /**
   * The held-out pairs at a step, or at the nearest earlier one at which they were tried.
   * @param {number} step
   * @returns {Evaluation | undefined}
   */
  evaluationAt(step) {
    return this.evaluations.findLast((evaluation) => evaluation.step <= step);
  }

  /**
   * The step from which on an example was always answered as it is at a later one.
   * @param {number} example
   * @param {Evaluation} evaluation
   */
  since(example, evaluation) {
    const upTo = this.evaluations.slice(0, this.evaluations.indexOf(evaluation) + 1);
    const other = upTo.findLastIndex(
      ({ answers }) => answers[example].join() !== evaluation.answers[example].join(),
    );
    return upTo[other + 1].step;
  }
}
