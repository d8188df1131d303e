// What keeps a learner's work, or hears how it went: a platform, or the browser.

/**
 * @typedef {object} Host each part may throw, which harms nothing
 * @property {boolean} [keeps] whether it is known to keep the work
 * @property {(kept: any, base: string) => unknown} [take] set by the keeper: takes the work that the host kept
 * @property {() => void} [ask] asks for what was kept; it comes by take(), at once, later, or never
 * @property {(work: string) => void} [save] something was typed
 * @property {(report: Report) => void} [report] something was checked
 * @property {() => void} [hide] the page may not come back into sight
 * @property {() => void} [leave] the page is left
 */

/**
 * What a check came to.
 * @typedef {object} Report
 * @property {string} work
 * @property {number} points
 * @property {number} max
 * @property {number} score 0 to 1
 * @property {boolean} done whether every cell was answered and checked
 * @property {{ cell: string, answer: string, points?: number, message?: string }[]} cells those that were checked now; of an exam,
 *   whose learners may see a platform's report, the answers alone
 */

export {};
