// Who answers what the page asks of a model, in a worker or in the page itself.
import * as core from './core.js';
import { Experiments } from './experiments.js';
import { storiesOf, wordsOf } from './stories.js';

/** @typedef {import('./files.js').OwnModel} OwnModel */
/** Of which model: the reader's own, or that of the stories. @typedef {{ own: boolean }} Which */
/**
 * @typedef {{ model: object, weights: object, open: { files: import('../reader/answers.js').Files }, take: object,
 *   run: Which & import('./experiments.js').Asked,
 *   rows: Which & import('./experiments.js').Texts & { layers: number[], both?: boolean },
 *   scores: Which & { prompt: string } }} Questions
 * open: reads all of a model but its weights. take: reads these, too.
 * @typedef {{ model: { words: string[], config: import('../../../bindings/index.js').Config },
 *   weights: Uint8Array<ArrayBuffer>, open: Awaited<ReturnType<OwnModel['open']>>, take: Awaited<ReturnType<OwnModel['take']>>,
 *   run: import('./experiments.js').Result, rows: import('./experiments.js').Rows,
 *   scores: import('./experiments.js').Scores }} Answers
 * model: what the model of the stories knows, and its sizes. weights: its file.
 */
/** @typedef {{ part: number } | { progress: import('../reader/answers.js').Progress }} Telling how much is done; of a file, how much was
 *   read */

/** Progress is posted to the page this often. */
const REPORT_MS = 100;

/** Posts progress, but not all the time. @param {import('../remote/server.js').Tell} tell */
function reporter(tell) {
  let reportedAt = performance.now();
  return (/** @type {number} */ part) => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    tell({ part });
  };
}

/** Where models come from. loadReader: what reads files of the reader's own; without it none are opened.
 * @typedef {{ readStories: () => Promise<Uint8Array<ArrayBuffer>>, loadReader?: () => Promise<typeof import('./files.js')> }} Sources */

/** The model of the stories. @param {Sources} sources */
async function stories({ readStories }) {
  const [gf, bytes] = await Promise.all([core.load(), readStories()]);
  const subject = storiesOf(core, gf, bytes);
  return { bytes, subject, experiments: new Experiments(core, subject) };
}

/** @param {import('../remote/server.js').Tell} tell @param {Sources} sources */
export async function answersOf(tell, sources) {
  /** @type {ReturnType<typeof stories> | null} */
  let shipped = null;
  const ofStories = () => {
    shipped ??= stories(sources).catch((error) => {
      shipped = null;
      throw error;
    });
    return shipped;
  };
  /** @type {OwnModel | null} */
  let model = null;
  /** @type {Experiments | null} */
  let experiments = null;
  /** @param {boolean} isOwn */
  const chosen = async (isOwn) => {
    if (!isOwn) return (await ofStories()).experiments;
    if (!experiments) throw new Error('no file is open');
    return experiments;
  };
  return {
    async model() {
      const { subject } = await ofStories();
      return { words: wordsOf(subject), config: subject.model.config };
    },
    weights: async () => (await ofStories()).bytes.slice(),
    /** @param {Questions['open']} question */
    async open({ files }) {
      if (!sources.loadReader) throw new Error('no files are opened here');
      const { OwnModel } = await sources.loadReader();
      experiments = null;
      model ??= new OwnModel(tell, core.load);
      return model.open(files);
    },
    /** @param {Questions['take']} _ @param {AbortSignal} signal */
    async take(_, signal) {
      if (!model) throw new Error('no file is open');
      const taken = await model.take({ signal, onProgress: reporter(tell) });
      experiments = new Experiments(core, /** @type {any} */ (model.subject));
      return taken;
    },
    /** @param {Questions['run']} question @param {AbortSignal} signal */
    run: async ({ own: isOwn, ...asked }, signal) =>
      (await chosen(isOwn)).run(asked, { signal, onProgress: reporter(tell) }),
    /** @param {Questions['rows']} question @param {AbortSignal} signal */
    rows: async ({ own: isOwn, ...asked }, signal) =>
      (await chosen(isOwn)).rows(asked, { signal, onProgress: reporter(tell) }),
    /** @param {Questions['scores']} question @param {AbortSignal} signal */
    scores: async ({ own: isOwn, prompt }, signal) => (await chosen(isOwn)).scores(prompt, signal),
  };
}
