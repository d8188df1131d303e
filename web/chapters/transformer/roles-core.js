// What the panel on roles of heads asks of the core: models of its own, so that neither edits nor a removed head of one
// reach the rest of the page.
export { headRoles, withoutHead } from '../../../bindings/lab/inside/index.js';
export {
  linkedSentences,
  sentenceLevels,
  sentenceLinks,
} from '../../../bindings/lab/tasks/index.js';
