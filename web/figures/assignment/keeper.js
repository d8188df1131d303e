// What a learner has typed, and all hosts that keep it: a platform, and the browser, which has a copy. Other work that
// comes from a host takes nothing away: it is joined with what was typed, cell by cell.
import { answered } from '../../chapters/exercises/state.js';
import { Browser } from './hosts/browser.js';
import { JSInput } from './hosts/jsinput.js';
import { Splice, Statements } from './hosts/messages.js';
import { Scorm } from './hosts/scorm.js';
import { isBlank, isDone, merged, NO_RESULT, textOf, workOf } from './saved.js';

/** @typedef {import('./hosts/host.js').Host} Host */
/** @typedef {import('./hosts/host.js').Report} Report */
/** @typedef {import('./saved.js').Work} Work */
/** @typedef {import('./saved.js').Typed} Typed */
/** @typedef {import('./package.js').Package} Package */
/**
 * The page around it.
 * @typedef {object} Page
 * @property {() => void} show the work is another one now
 * @property {() => void} follow what can be said of the keepers has changed
 */

const BLANK = { answers: [], checked: '' };

/** A number below n, the same for the same learner on every machine. @param {string} learner @param {number} n */
const numberOf = (learner, n) =>
  [...learner].reduce((sum, sign) => (31 * sum + Number(sign.codePointAt(0))) % 1_000_003, 7) % n;

export class Keeper {
  /** Whether the learner has typed something here. */
  touched = false;
  /** Whether answers came back that the platform did not have. */
  isRestored = false;
  /** Whether such answers were checked, and the platform may not have heard what they came to. */
  owes = false;
  /** The browser's copy, as it was read. @type {import('./hosts/browser.js').Copy | null} */
  #copy = null;
  /** Other work of this learner, which is shown when it is asked for. @type {string | undefined} */
  #earlier;
  /** What the browser's copy was last. */
  #last = '';

  /** @param {Package} assignment @param {Page} page */
  constructor(assignment, page) {
    const { id, standard, problems, attempts } = assignment;
    this.page = page;
    /** How often an exam may be handed in; undefined for an exercise that is checked at will. */
    this.attempts = attempts;
    this.problems = problems;
    /** @type {Work} */
    this.work = this.#drawn('');
    this.scorm = new Scorm(standard);
    this.browser = new Browser(id);
    this.input = new JSInput();
    /** @type {Host[]} */
    this.hosts = [this.scorm, this.input];
    if (parent !== window) this.hosts.push(new Splice(id), new Statements(assignment));
    for (const host of this.hosts) host.take = (kept, base) => this.#take(kept, base);
    this.scorm.take = (kept, base) => this.#returned(kept, base);
    this.scorm.arrived = () => this.#arrived();
    this.scorm.isDone = () => this.isDone;
    this.scorm.follow = () => {
      if (this.touched || this.#copy) this.#keep();
      page.follow();
    };
    this.browser.news = (copy) => this.#news(copy);
  }

  /** A problem without answers: always the same for a learner, and any for one without a name.
   * @param {string} learner @returns {Work} */
  #drawn(learner) {
    const { problems } = this;
    const n = problems.length;
    const variant = learner ? numberOf(learner, n) : Math.floor(Math.random() * n);
    return { problem: problems[variant], typed: BLANK, ...NO_RESULT };
  }

  begin() {
    this.#forEach((host) => host.ask?.());
    if (this.scorm.state !== 'absent') return;
    this.#recall();
    /* So that a learner finds the same numbers again. */
    if (!this.#copy) this.#keep();
  }

  get text() {
    return textOf(this.work);
  }

  // ---- What comes from elsewhere ----

  /** What the browser has a copy of. */
  #recall() {
    const copy = this.browser.read();
    this.#copy = copy;
    if (!copy) return;
    const theirs = workOf(copy.work, this.problems);
    this.#earlier = copy.earlier;
    if (!theirs) this.#earlier ??= copy.work;
    else this.#join(theirs, '');
  }

  /** The platform is there, perhaps late: what was kept until then may be of another learner. */
  #arrived() {
    const { learner, state } = this.scorm;
    if (this.touched) this.browser.forget();
    else this.work = this.#drawn(learner);
    this.browser.belongsTo(learner);
    this.#copy = null;
    if (state !== 'review') this.#recall();
    this.page.show();
  }

  /**
   * Takes what the platform has of the work.
   * @param {string} kept @param {string} base what it was known to have before, '' at first
   * @returns {string | null} what it must have; null if it has what is not understood
   */
  #returned(kept, base) {
    const theirs = workOf(kept, this.problems);
    const copy = this.#copy;
    const isOld = this.#isOld(kept);
    if (!theirs && kept !== '' && !isOld) return null;
    const isUnsaved = this.#isUnsaved(kept);
    const isNew = this.touched || isUnsaved;
    if (theirs && !isNew) {
      this.#show(theirs);
      return kept;
    }
    if (theirs) this.#join(theirs, isOld ? kept : base || copy?.base || '');
    else if (this.scorm.fresh && copy && !isNew) {
      /* A new attempt begins without answers; those of an earlier one are shown on demand. */
      this.#earlier = copy.work;
      this.#show(this.#drawn(this.scorm.learner));
    }
    return this.#owed(kept, isUnsaved);
  }

  /** Whether the browser has what the platform lacks: the platform may have gone back to an older state. @param {string} kept */
  #isUnsaved(kept) {
    const copy = this.#copy;
    if (!copy) return false;
    if (copy.work !== (this.#isOld(kept) ? kept : copy.base)) return true;
    /* No platform gives an attempt back that it had. */
    const [ours, theirs] = [copy.work, kept].map((text) => workOf(text, this.problems));
    return !!ours && !!theirs && ours.used > theirs.used;
  }

  /** Whether a text was written at an earlier visit, perhaps cut since: the copy is newer. @param {string} text */
  #isOld(text) {
    return text !== '' && this.#copy?.met?.some((one) => one.startsWith(text)) === true;
  }

  /** What the platform must have, now that its text was taken. @param {string} kept @param {boolean} isUnsaved */
  #owed(kept, isUnsaved) {
    if (isBlank(this.work) && !this.touched) return kept;
    if (!this.touched && this.text !== kept) this.isRestored = true;
    this.owes ||= isUnsaved && this.work.typed.checked !== '';
    return this.text;
  }

  /** @param {Work} work that takes the place of the present one */
  #show(work) {
    this.work = work;
    this.page.show();
  }

  /** Work that a host kept, whenever it comes. @param {unknown} kept @param {string} [base] */
  #take(kept, base = '') {
    const theirs = workOf(kept, this.problems);
    if (theirs) this.#join(theirs, base);
    if (this.touched) this.#keep();
    this.page.follow();
  }

  /** @param {Work} theirs @param {string} base */
  #join(theirs, base) {
    const ours = this.work;
    if (isBlank(ours) && !this.touched) this.work = theirs;
    else if (ours.problem !== theirs.problem) {
      if (!isBlank(ours)) this.#earlier = textOf(ours);
      this.work = theirs;
    } else {
      const [first, second] = this.touched ? [ours, theirs] : [theirs, ours];
      this.work = merged(first, second, workOf(base, this.problems));
    }
    this.page.show();
  }

  /** Another window of this learner. @param {import('./hosts/browser.js').Copy} copy */
  #news(copy) {
    const theirs = workOf(copy.work, this.problems);
    if (!theirs || this.scorm.state === 'review') return;
    this.#join(theirs, this.#last);
    this.#last = copy.work;
  }

  // ---- What is typed here ----

  /** @param {Typed} typed */
  changed(typed) {
    this.touched = true;
    this.work = { ...this.work, typed };
    this.#save();
  }

  /** What stands in a field that is not left yet: a tab may be killed now. @param {number} place @param {string} value */
  draft(place, value) {
    const typed = answered(this.work.typed, new Map([[place, value.trim()]]));
    this.#keep(textOf({ ...this.work, typed }));
  }

  #save() {
    this.#keep();
    this.#forEach((host) => host.save?.(this.text));
  }

  /** The browser's copy. */
  #keep(work = this.text) {
    const { state, saved, met } = this.scorm;
    if (state === 'review') return;
    const platform = state === 'absent' ? {} : { base: saved, met };
    this.browser.write({ work, ...platform, earlier: this.#earlier });
    this.#last = work;
  }

  /** The learner gives up what the platform has and the page cannot read; it stays in the browser. */
  replace() {
    this.#earlier = this.scorm.saved;
    this.scorm.replace();
    this.#save();
  }

  /** Other work of this learner that can be shown. */
  get earlier() {
    const work = workOf(this.#earlier, this.problems);
    const isClosed = this.attempts !== undefined && this.isDone;
    return isClosed || isBlank(work) || this.#earlier === this.text ? null : work;
  }

  /** Shows that work; what is there now waits in its place. */
  swap() {
    const { earlier } = this;
    if (!earlier) return;
    this.#earlier = isBlank(this.work) ? undefined : this.text;
    /* The answers alone: neither a mark nor an attempt comes from there. */
    const { used, best } = this.work;
    this.work = { ...earlier, used, best };
    this.touched = true;
    this.page.show();
    this.#save();
  }

  // ---- What hosts hear ----

  /** Whether there is no more to do. */
  get isDone() {
    return isDone(this.work, this.attempts);
  }

  /** Uses attempts of an exam: one, or all that are left. @param {number} n */
  spend(n) {
    this.touched = true;
    this.work = { ...this.work, used: this.work.used + n };
  }

  /** What a check came to. Hosts hear the best score: neither a later check nor an older window lowers it.
   * @param {Pick<Report, 'points' | 'max' | 'cells'>} check */
  report({ points, max, cells }) {
    this.owes = false;
    const score = Math.max(this.work.best ?? 0, points / max);
    this.work = { ...this.work, best: score };
    this.#keep();
    const { text: work, isDone: done } = this;
    const best = score > points / max ? score * max : points;
    const report = { work, points: best, max, score, done, cells };
    this.#forEach((host) => host.report?.(report));
    return report;
  }

  hide() {
    this.#forEach((host) => host.hide?.());
  }

  leave() {
    this.#forEach((host) => host.leave?.());
  }

  /** Calls every host; one that fails does not stop the others. @param {(host: Host) => void} call */
  #forEach(call) {
    for (const host of this.hosts) {
      try {
        call(host);
      } catch {
        /* The learner goes on. */
      }
    }
  }

  // ---- What can be said of it ----

  /** Where the browser keeps them. @returns {'browser' | 'tab' | 'nobody'} */
  get copy() {
    const { keeps, isNamed } = this.browser;
    if (!keeps) return 'nobody';
    return isNamed ? 'browser' : 'tab';
  }

  /**
   * Who keeps the answers: the name of a sentence, since when, and whether it is no platform.
   * @returns {{ name: string, isTrouble?: boolean, time?: Date, error?: string }}
   */
  get status() {
    const { state, trouble, saving, savedAt, again } = this.scorm;
    if (state === 'review') return { name: state };
    if (state === 'foreign' || state === 'unread') return { name: state, isTrouble: true };
    if (state === 'absent') {
      return { name: this.hosts.some((host) => host.keeps) ? 'platform' : this.copy };
    }
    if (trouble)
      return { name: 'refused', isTrouble: true, time: trouble.since, error: trouble.error };
    if (saving) return { name: 'saving' };
    if (savedAt) return { name: again ? 'again' : 'saved', time: savedAt };
    return { name: 'platform' };
  }
}
