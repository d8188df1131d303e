// Explains a wrong number: the marking of exercises looks for the mistake on the scene's numbers, and the exercises' stage
// plays it beside the right way.
import { exercises } from '#capabilities';
import { language, text } from '../app/locale/text.js';
import { SHELL_EVENTS } from '../app/state/actions.js';
import { COMMON } from '../app/state/store.js';
import { operandsOf } from '../app/state/view.js';
import { OPENING } from '../app/state/walk.js';
import { word } from '../stage/draw/names.js';
import { cellKey, offset } from '../stage/draw/tensor.js';
import { title } from '../stage/telling/words.js';
import { precisionOf } from './checking.js';
import { isNear, isSame, readNumber, TOLERANCE } from './reading.js';
import { cellsIn, scopeIn } from './telling.js';
import './mistake.css';

/** @typedef {import('../../bindings/learn/exercises/index.js').Problem} Problem */
/** @typedef {import('../stage/draw/tensor.js').Cell} Cell */
/** @typedef {import('../app/session.js').Step} Step */
/** @typedef {import('../app/state/view.js').View} View */
/** @typedef {import('./gate-form.js').Verdict} Verdict */
/** @typedef {import('./player.js').Player} Player */
/** @typedef {Awaited<ReturnType<typeof exercises>>} Engine */
/** A problem whose numbers are the scene's; cells: those of it that the scene asks for; called: what the scene calls
 * steps of it. @typedef {{ problem: Problem, cells: Cell[], called?: Record<string, string> }} Posed */
/**
 * The marking of an answer.
 * @typedef {object} Marked
 * @property {boolean} right
 * @property {boolean[]} rights of each number
 * @property {number} first the number where it goes wrong, or -1
 * @property {string} [message] of a mistake or a slip that is known
 * @property {Posed & { engine: Engine, misconception: string }} [machine] that makes the mistake
 */

/**
 * The reply to a wrong answer.
 * @typedef {object} Reply
 * @property {boolean[]} rights of each number
 * @property {Verdict} said
 * @property {import('../chapters/exercises/machine.js').Machine} [machine] that makes the mistake
 * @property {Set<string>} [lit] what the first wrong number is computed from
 */

/** The inputs of a problem of attention. */
const LEAVES = ['x', 'w_q', 'w_k', 'w_v'];
/** States of the marking for a number that rounding on the way may have given. */
const NEAR = ['right', 'early-rounding', 'rounded-down', 'few-digits'];
/** A number of fewer digits, not counting zeros at the ends, may come from too many mistakes to name one. */
const MIN_DIGITS = 2;

/** The numbers of a step as rows; of one of its heads, if it has several.
 * @param {Pick<Step, 'shape' | 'data'>} step @param {number} [head] */
function rowsIn({ shape, data }, head = 0) {
  const [n, width] = shape.slice(-2);
  return Array.from({ length: n }, (_, i) => {
    const first = (head * n + i) * width;
    return Array.from(data.slice(first, first + width));
  });
}

/** @param {string} recipe @param {Problem['given']} inputs @param {readonly string[]} [tokens]
 * @returns {Problem} */
const problemOf = (recipe, inputs, tokens) => ({
  ...{ recipe, seed: 1, level: 'steps', policy: { digits: 2 } },
  ...{ given: inputs, tokens, asked: [], shown: {}, solution: {}, misconceptions: {} },
});

/** Attention by hand, from the tokens on.
 * @param {View} view @param {Cell[]} cells @returns {Posed | null} */
function attention({ trace, example }, cells) {
  const steps = LEAVES.map((name) => trace.steps.find((step) => step.name === name));
  const isWhole = steps.every((step) => step?.shape.length === 2);
  if (!isWhole || example.attention?.causal || example.sides) return null;
  const inputs = LEAVES.map((name, i) => [name, rowsIn(/** @type {Step} */ (steps[i]))]);
  return { problem: problemOf('attention', Object.fromEntries(inputs), example.tokens), cells };
}

/** The step whose numbers another one copies, if that is removed; else that one itself.
 * @param {Step} step @param {View['trace']} trace @returns {Step} */
const computed = (step, trace) =>
  step.bypassed === null
    ? step
    : computed(trace.step(/** @type {string} */ (step.inputs[step.bypassed])), trace);

/** One step alone, from what it reads: what goes before it may be of any kind.
 * @param {View} view @param {Cell[]} cells @returns {Posed | null} */
function alone({ trace, example }, cells) {
  const [{ node, index }] = cells;
  const step = trace.step(node);
  const head = index.length === 3 ? index[0] : 0;
  const isOne = step.kind === 'op' && cells.every((cell) => cell.node === node);
  if (!isOne || step.bypassed !== null) return null;
  const asked = (/** @type {string} */ name) =>
    cells.map((cell) => ({ node: name, index: cell.index.slice(-2) }));
  const operand = trace.step(/** @type {string} */ (step.inputs[0]));
  if (step.op === 'softmax') {
    const inputs = { 'scores.scaled': rowsIn(operand, head) };
    const called = { 'scores.scaled': word(computed(operand, trace)) };
    const problem = problemOf('softmax-row', inputs, example.tokens);
    return { problem, cells: asked('weights'), called };
  }
  if (step.op === 'position') {
    const position = Array.from(operand.data);
    const inputs = { position, x: rowsIn(step).map((row) => row.map(() => 0)) };
    const problem = problemOf('sinusoid', inputs, position.map(String));
    return { problem, cells: asked('pos'), called: { pos: 'codes' } };
  }
  return null;
}

/** The name of a cell in problems. @param {Cell} cell */
const nameOf = ({ node, index }) => `${node}[${index.join()}]`;

/** The value of a problem's cell, computed rightly or with a mistake.
 * @param {Engine} engine @param {View['session']['core']} core @param {Problem} problem @param {Cell} cell
 * @param {{ misconception?: string }} [options] */
function workedOut({ traceProblem }, core, problem, { node, index }, options = {}) {
  const step = traceProblem(core, problem, options).steps.find(({ name }) => name === node);
  return step?.data[offset(step.shape, index)] ?? Number.NaN;
}

/** The problem whose answers are the cells that a scene asks for: its exercise, or one made of what is on screen.
 * @param {View} view @param {Engine} engine @param {Cell[]} cells @param {Problem} [problem]
 * @returns {Posed | null | undefined} */
function posedFor(view, engine, cells, problem) {
  if (problem) return { problem, cells };
  const { core } = view.session;
  const values = cells.map((cell) => numberAt(view, cell));
  /* What is given there is no answer; and a number that was edited or removed on the way is another than the exercise's. */
  const fits = (/** @type {Posed} */ posed) =>
    posed.cells.every(
      (cell, i) =>
        !(cell.node in posed.problem.given) &&
        isSame(workedOut(engine, core, posed.problem, cell), values[i]),
    );
  return [attention, alone].map((pose) => pose(view, cells)).find((one) => one && fits(one));
}

/** @param {View} view @param {Cell} cell */
function numberAt({ trace }, { node, index }) {
  const step = trace.step(node);
  return step.data[offset(step.shape, index)];
}

/** Whether a number is near another: what a rounding may do to a small number is more than that number itself.
 * @param {number} read @param {number} value @param {number} digits that a scene asks for
 * @param {number} decimals that were typed */
function isClose(read, value, digits, decimals) {
  const shown = Number(value.toFixed(digits));
  const most = Math.max(TOLERANCE.early * Math.abs(value), TOLERANCE.rounded / 10 ** decimals);
  /* A number that has no more digits needs no rounding. */
  return !isSame(shown, value) && Math.abs(read - value) <= most;
}

/**
 * Marks an answer as an exercise; null where no problem asks for these numbers.
 * @param {View} view
 * @param {{ problem?: Problem, paths: readonly string[], written: readonly string[], digits: number, cellular: boolean }}
 * answer problem: where the scene is an exercise; paths: of the numbers that were asked for; cellular: whether they are
 * seen as cells
 * @returns {Promise<Marked | null>}
 */
async function markOf(view, { problem, paths, written, digits, cellular }) {
  const scope = scopeIn(view);
  const groups = paths.map((path) => cellsIn(path, scope));
  /* An expression is no cell of an exercise, and bars show no step of its working. */
  if (groups.some((cells) => cells.length !== 1) || (problem && !cellular)) return null;
  const cells = groups.flat();
  /* A step of the working need not be asked for. */
  if (problem && !cells.every((cell) => problem.asked.includes(nameOf(cell)))) return null;
  const engine = await exercises();
  const { core } = view.session;
  const posed = posedFor(view, engine, cells, problem);
  if (!posed) return null;
  posed.problem = { ...posed.problem, policy: { digits } };
  const names = posed.cells.map(nameOf);
  const answers = Object.fromEntries(names.map((name, i) => [name, written[i]]));
  const marks = engine.mark(core, posed.problem, { cells: answers }, { lang: language() }).cells;
  const marked = names.map((name) => marks[name]);
  const values = cells.map((cell) => numberAt(view, cell));
  const typed = written.map((one) => {
    const { value, decimals } = Object(readNumber(one));
    /* An expression has no decimals: all of it is meant. */
    return { value: Number(value), decimals: decimals ?? 4 };
  });
  /* Rounded on the way, a number may be off by one of its last digit; what roundings could do to it is more. */
  const rights = marked.map(({ state }, i) => {
    const precision = precisionOf(values[i], digits);
    return state === 'right' && isNear(typed[i].value, values[i], precision, TOLERANCE.rounding);
  });
  const first = rights.indexOf(false);
  /* Fewer digits than the scene asks for are near the numbers of many mistakes. What was typed with more is meant
   * to them; a quotient, to all. A mistake makes every number of the answer. */
  const explains = (/** @type {(typeof marked)[number]} */ { misconception }) => {
    if (misconception === undefined) return false;
    const isTelling = written.some(
      (one) => one.replace(/\D/g, '').replace(/^0+|0+$/g, '').length >= MIN_DIGITS,
    );
    return (
      isTelling &&
      typed.every(({ value: number, decimals }, i) => {
        const value = workedOut(engine, core, posed.problem, posed.cells[i], { misconception });
        return isNear(number, value, Math.max(digits, decimals), TOLERANCE.rounding);
      })
    );
  };
  const mistaken = marked.find(explains);
  /* A slip is recognised by the cells around it, and reported only for the first wrong number. */
  const slip = cellular && marked[first]?.state.startsWith('slip:') ? marked[first] : undefined;
  const explanation = mistaken ?? slip;
  const isOnlyClose = (/** @type {number} */ i) =>
    NEAR.includes(marked[i].state) && isClose(typed[i].value, values[i], digits, typed[i].decimals);
  /* The marking's message would contain the right number. */
  const isEarly = !explanation && rights.every((right, i) => right || isOnlyClose(i));
  const misconception = mistaken?.misconception;
  const reason = problem ? '' : whereOf(view, engine, posed, misconception);
  const message = isEarly
    ? text('lessons/early')
    : explanation && `${reason}${explanation.message}`;
  return {
    ...{ right: first < 0, rights, first, message },
    ...(misconception && { machine: { ...posed, engine, misconception } }),
  };
}

/** Says of a mistake that it is made in a step before the one that is asked for, which the scene shows; nothing of others.
 * @param {View} view @param {Engine} engine @param {Posed} posed @param {string} [misconception] */
function whereOf({ session, trace }, engine, { problem, cells }, misconception) {
  if (!misconception) return '';
  const { differing } = engine.traceProblem(session.core, problem, { misconception });
  const node = differing[0]?.node;
  const step = node === cells[0].node ? undefined : trace.steps.find(({ name }) => name === node);
  return step ? `${text('lessons/before', { step: title(step) })} ` : '';
}

/** The cells that a number is computed from, and its own. @param {View} view @param {string} path */
function sourcesOf({ session, trace, example }, path) {
  const [cell] = cellsIn(path, scopeIn({ trace, example }));
  const cells = operandsOf(session.explain(trace, cell));
  return new Set([...cells.flatMap((keys) => [...keys]), cellKey(cell)]);
}

/**
 * Two runs on one timeline: the right one, and the one that makes the mistake.
 * @param {View} view
 * @param {NonNullable<Marked['machine']>} mistaken
 */
function machineOf({ session }, { problem, cells, called = {}, engine, misconception }) {
  const [asked] = cells;
  /* The right way hides what is asked for: a number before it, of the same row, shows where the two ways differ. */
  const { differing } = engine.traceProblem(session.core, problem, { misconception });
  const first = differing.findIndex(({ node }) => node === asked.node);
  const before = differing
    .slice(0, Math.max(0, first))
    .find(({ index }) => index[0] === asked.index[0]);
  return Object.assign(
    /** @type {import('../chapters/exercises/machine.js').Machine} */ (
      document.createElement('gf-machine')
    ),
    {
      ...{ session, engine, problem, called },
      leave: text('lessons/leave'),
      shows: new Set(['stage', 'caption']),
      start: before ?? asked,
      asks: cells,
      state: { ...COMMON, ...OPENING, example: misconception, lang: language() },
    },
  );
}

/**
 * The reply to a wrong answer; null where no problem asks for these numbers.
 * @param {View} view
 * @param {{ scene: import('./scene.js').Scene, problem?: Problem, verdict: Verdict }} answer
 * @returns {Promise<Reply | null>}
 */
async function replyTo(view, { scene: { gate, picture }, problem, verdict }) {
  const { numbers: paths = [], digits = 2, right: say } = gate ?? {};
  const { written = [], known: isExplained } = verdict;
  const cellular = picture.kind === 'stage';
  const marked = await markOf(view, { problem, paths, written, digits, cellular });
  if (!marked) return null;
  const { right, rights, first, message, machine } = marked;
  if (right) return { rights, said: { right, say } };
  const said = message && !isExplained ? { right, message } : verdict;
  if (machine) return { rights, said, machine: machineOf(view, machine) };
  if (!cellular) return { rights, said };
  const more =
    paths.length > 1 ? text('lessons/first', { n: first + 1, all: paths.length }) : undefined;
  return { rights, said: { ...said, ...(more && { more }) }, lit: sourcesOf(view, paths[first]) };
}

/** Connects the machine that makes the mistake with a lesson, which does not hear what the machine asks for.
 * @param {Player} player @param {NonNullable<Reply['machine']>} machine
 * @param {import('./gate-form.js').GateForm} form */
function connected(player, machine, form) {
  machine.theme = player.theme;
  for (const type of SHELL_EVENTS) {
    machine.addEventListener(type, (event) => event.stopPropagation());
  }
  machine.addEventListener('gf-opened', () => machine.updateComplete.then(player.keepInView));
  const leave = () => {
    player.beside = null;
  };
  machine.addEventListener('gf-leave', leave);
  /* Who types another answer needs the scene's own numbers. */
  form.addEventListener('input', leave, { once: true });
  return machine;
}

/**
 * Says what is wrong with a number, and plays the mistake that gives it.
 * @param {Player} player
 * @param {Verdict} verdict
 * @param {import('./gate-form.js').GateForm} form
 */
export async function mark(player, verdict, form) {
  const { shown: scene, view, body } = player;
  if (!scene || !view) return;
  const { problem } = /** @type {any} */ (body);
  const reply = await replyTo(view, { scene, problem, verdict });
  /* The scene was left, or answered rightly meanwhile. */
  if (player.shown !== scene || player.placed !== scene || player.passed) return;
  if (reply) form.typed = reply.rights;
  if (reply?.said.right) return player.answers.pass(reply.said);
  player.said = reply?.said ?? verdict;
  player.beside = reply?.machine ? connected(player, reply.machine, form) : null;
  if (reply?.lit) /** @type {any} */ (body).lit = reply.lit;
}

/** Loads what a wrong answer needs, while the answer is still being typed. */
export const prepare = () => Promise.all([exercises(), import('../chapters/exercises/machine.js')]);
