// What is taken away of an experiment: its numbers as a table, its picture, and programs that compute the numbers again,
// ours and one for TransformerLens.
import { csvOf } from '../../../bindings/js/base/csv.js';
import { SEED, STORIES } from './stories.js';

/** @typedef {import('./experiments.js').Asked} Asked */
/** @typedef {import('./experiments.js').Whole} Whole */

/** @param {Pick<Whole['sum'], 'sum' | 'total' | 'bound'> & { parts: { name: string, value: number }[] }} sum @param {string} then */
const linesOf = ({ parts, sum, total, bound }, then) => [
  ...parts.map(({ name, value }) => [`part${then}`, name, value]),
  [`check${then}`, 'sum of the parts', sum],
  [`check${then}`, 'total of the core', total],
  [`check${then}`, 'bound', bound],
];

/** What is known of each head or position of each layer.
 * @param {'head' | 'position'} each @param {(number | null)[][]} values */
const cellsOf = (each, values) =>
  values.flatMap((row, layer) =>
    row.flatMap((value, i) => {
      if (value === null) return [];
      const what = each === 'head' ? 'with head changed' : 'with stream changed';
      return [[what, `layer ${layer} ${each} ${i}`, value]];
    }),
  );

/** @param {Asked['off'][number]} place */
const called = (place) => {
  const layer = `layer ${place.layer}`;
  if ('head' in place) return `${layer} head ${place.head}`;
  return 'position' in place ? `${layer} position ${place.position}` : `${layer} feed-forward`;
};

/**
 * The texts, what is changed, and every number, one a line: the parts of the sum and what they come to, before and after
 * that, the value with each head or stretch of the stream changed alone, the score that is opened, the likeliest words.
 * @param {Asked} asked
 * @param {Whole} result
 */
export function csv({ prompt, other, off, from }, { intact, sum, alone, words, best, why }) {
  return csvOf([
    ['what', 'name', 'value'],
    ['text', 'this text', prompt],
    ['text', 'the other', other],
    ...off.map((place) => ['switched off', called(place), '']),
    ...from.map((place) => ['taken from the other text', called(place), '']),
    ...linesOf(intact, ''),
    ...(sum === intact ? [] : linesOf(sum, ' after all changes')),
    ...cellsOf('head', alone),
    ...cellsOf('position', words ?? []),
    ...(why ? linesOf(why, ' of the score') : []),
    ...best.flatMap(({ word, before, after: then }) => [
      ['probability', word, before],
      ['probability after all changes', word, then],
    ]),
  ]);
}

/** The computed styles that a drawing needs outside the page. */
const STYLES = 'fill stroke stroke-width stroke-dasharray opacity font text-anchor'.split(' ');

/** A drawing of the page as a file: with its looks, and on the page's paper.
 * @param {SVGSVGElement} drawing */
export function svg(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const shapes = [...drawing.querySelectorAll('*')];
  /** @type {NodeListOf<SVGElement>} */
  const copies = copy.querySelectorAll('*');
  for (const [i, shape] of copies.entries()) {
    const style = getComputedStyle(shapes[i]);
    shape.removeAttribute('class');
    for (const name of STYLES) shape.style.setProperty(name, style.getPropertyValue(name));
  }
  const { width, height } = drawing.viewBox.baseVal;
  for (const [name, value] of Object.entries({
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
  }))
    copy.setAttribute(name, String(value));
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return `${new XMLSerializer().serializeToString(copy).replaceAll(/<!--.*?-->/g, '')}\n`;
}

const json = (/** @type {unknown} */ value) => JSON.stringify(value);

/** Why a head reads a word. @param {Pick<Whole, 'why'>['why']} why */
const reason = (why) =>
  !why
    ? ''
    : `
const score = await why(model, inputs, ${json({ layer: why.layer, head: why.head, query: -1, key: why.key })});
console.table(score.parts.map(({ name, value }) => ({ name, value })));
console.log({ sum: score.sum, total: score.total, bound: score.bound });
`;

/** Where heads attend. @param {string} score @param {boolean} isJob */
function attention(score, isJob) {
  if (score === '') return '';
  const value = score === 'distance' ? 'distance' : `relations.${score}.attention`;
  return isJob
    ? `
const { heads } = await headRoles(model, linkedStories(heldOutStories(${STORIES}, ${SEED})));
console.table(heads.map((head) => ({ name: head.name, ${score}: head.${value} })));
`
    : `
const { heads } = await headScores(model, inputs);
console.table(heads.map(({ name, ${score} }) => ({ name, ${score} })));
`;
}

/** How a program comes to a model: by the entry of each function, and the lines that make it.
 * @typedef {{ needs: Record<string, string[]>, made: string, read: (ids: number[], text: string) => string,
 *   idsOf: (ids: number[], words: string[]) => string }} Way */

/** @type {Way} */
const SHIPPED = {
  needs: {
    'node:fs/promises': ['readFile'],
    glassformer: ['load'],
    'glassformer/stories': ['storyInputs', 'trained', 'vocabulary'],
  },
  made: `const file = new URL(import.meta.resolve('glassformer/models/stories.safetensors'));
const model = trained(gf, await readFile(file));`,
  read: (_, text) => `storyInputs(${json(text)})`,
  idsOf: (_, words) => `vocabulary.encode(${json(words)})`,
};

/** A file that `glassformer train` or the page wrote; or a checkpoint.
 * @param {{ name: string, isOurs: boolean }} file
 * @returns {Way} */
const opening = ({ name, isOurs }) => ({
  needs: isOurs
    ? { 'node:fs/promises': ['readFile'], glassformer: ['load', 'readModel'] }
    : { 'glassformer/models': ['load', 'openCheckpoint'] },
  made: isOurs
    ? `const model = gf.open(readModel(await readFile(${json(name)})));`
    : `const model = await gf.openModel(await openCheckpoint(${json(name)}), { stored: true });`,
  read: (ids) => `{ target: ${json(ids)} }`,
  idsOf: (ids) => json(ids),
});

/**
 * A program for Node that prints the same numbers.
 * @param {Asked} asked
 * @param {Pick<Whole, 'word' | 'instead' | 'why' | 'ids' | 'intact'>} result
 * @param {{ score: string, isJob: boolean }} attended the score of where heads attend, or ''; whether in other stories
 * @param {{ name: string, isOurs: boolean } | null} file of the reader's own model
 */
export function javascript(asked, result, { score, isJob }, file) {
  const { prompt, other, off, from, value } = asked;
  const { ids, why } = result;
  const { token, against } = result.intact;
  const { needs, made, read, idsOf } = file ? opening(file) : SHIPPED;
  /** @type {Record<string, string[]>} */
  const needed = {
    ...needs,
    'glassformer/inside': [
      ...['ablate', ...(score ? [isJob ? 'headRoles' : 'headScores'] : []), 'logitAttribution'],
      ...(why ? ['why'] : []),
    ],
    ...(isJob && {
      'glassformer/stories': ['heldOutStories', 'linkedStories', ...needs['glassformer/stories']],
    }),
  };
  const imports = Object.keys(needed)
    .sort()
    .map((entry) => `import { ${needed[entry].join(', ')} } from '${entry}';`);
  const isDifference = against !== null;
  const tokens = isDifference ? [token, against] : [token];
  const words = isDifference ? [result.word, result.instead] : [result.word];
  const names = isDifference ? 'token, against' : 'token';
  const second = ids[1].length > 0 ? `const other = { run: ${read(ids[1], other)} };\n` : '';
  return `${imports.join('\n')}

const gf = await load();
${made}
const inputs = ${read(ids[0], prompt)};
${second}const [${names}] = ${idsOf(tokens, words)};

const off = ${json(off)};
${from.length > 0 ? `const from = ${json(from)}.map((place) => ({ ...place, value: other }));` : 'const from = [];'}
for (const at of [[], [...off, ...from]]) {
  const { parts, sum, total, bound } = await logitAttribution(model, inputs, { ${names}, at });
  console.table(parts.map(({ name, value }) => ({ name, value })));
  console.log({ sum, total, bound });
}

const metric = { kind: '${isDifference ? 'difference' : 'logit'}', ${names} };
const value = ${value === 'zero' ? json('zero') : 'other'};
const { grid, check } = await ablate(model, inputs, { each: 'head', value, metric });
console.table(grid.values);
console.log(check);
${reason(why)}${attention(score, isJob)}`;
}

/** How TransformerLens calls what a place is, and which part of it. @param {import('./experiments.js').Place} place */
const hookOf = (place) =>
  'head' in place
    ? [`blocks.${place.layer}.attn.hook_z`, place.head]
    : 'part' in place
      ? [`blocks.${place.layer}.hook_mlp_out`, null]
      : [`blocks.${place.layer}.hook_resid_pre`, place.position];

/**
 * The part of the program that makes the model of its file.
 * @param {import('../../../bindings/index.js').Config} config
 */
const lensModel = ({ layers, heads, dModel, dFF, maxLength, vocab, epsilon }) =>
  `# pip install transformer-lens==3.9.0 safetensors
# stories.safetensors lies beside this program.
import json
import torch
from safetensors.torch import load_file
from transformer_lens import HookedTransformer, HookedTransformerConfig

torch.set_grad_enabled(False)
LAYERS, HEADS, WIDTH = ${layers}, ${heads}, ${dModel}
model = HookedTransformer(HookedTransformerConfig(
    n_layers=LAYERS, n_heads=HEADS, d_model=WIDTH, d_head=WIDTH // HEADS, d_mlp=${dFF}, n_ctx=${maxLength}, d_vocab=${vocab},
    act_fn="gelu_new", normalization_type="LN", eps=${epsilon}, device="cpu"))
weights = load_file("stories.safetensors")
state = {
    "embed.W_E": weights["embedding.weight"],
    "pos_embed.W_pos": weights["decoder.position_embedding.weight"],
    "unembed.W_U": weights["embedding.weight"].T,
    "unembed.b_U": torch.zeros(${vocab}),
    "ln_final.w": weights["decoder.norm.weight"],
    "ln_final.b": weights["decoder.norm.bias"],
}
for i in range(LAYERS):
    mine = lambda name: weights[f"decoder.layers.{i}.{name}"]
    block = {}
    for letter in "QKV":
        name = f"self_attn.{letter.lower()}_proj"
        block[f"attn.W_{letter}"] = mine(f"{name}.weight").reshape(WIDTH, HEADS, -1).permute(1, 0, 2)
        block[f"attn.b_{letter}"] = mine(f"{name}.bias").reshape(HEADS, -1)
    block["attn.W_O"] = mine("self_attn.out_proj.weight").reshape(HEADS, -1, WIDTH)
    block["attn.b_O"] = mine("self_attn.out_proj.bias")
    for part, theirs in (("linear1", "in"), ("linear2", "out")):
        block[f"mlp.W_{theirs}"] = mine(f"{part}.weight")
        block[f"mlp.b_{theirs}"] = mine(f"{part}.bias")
    for n in (1, 2):
        block[f"ln{n}.w"] = mine(f"norm{n}.weight")
        block[f"ln{n}.b"] = mine(f"norm{n}.bias")
    state |= {f"blocks.{i}.{name}": tensor for name, tensor in block.items()}
left = model.load_state_dict(state, strict=False)
assert not left.unexpected_keys and not {key for key, _ in model.named_parameters()} & set(left.missing_keys)

`;

/**
 * A program for Python that prints the same numbers by TransformerLens, from the weights beside it.
 * @param {Asked} asked
 * @param {Pick<Whole, 'sum' | 'ids'>} result
 * @param {import('../../../bindings/index.js').Config} config of the model
 */
export function transformerLens({ off, from, value }, { sum, ids }, config) {
  const places = [...off.map((place) => [place, false]), ...from.map((place) => [place, true])].map(
    ([place, taken]) => [.../** @type {any} */ (hookOf(/** @type {any} */ (place))), taken],
  );
  const python = json(places)
    .replaceAll('true', 'True')
    .replaceAll('false', 'False')
    .replaceAll('null', 'slice(None)');
  return `${lensModel(config)}tokens = torch.tensor([${json(ids[0])}])
other = torch.tensor([${json(ids[1])}])
TOKEN, AGAINST = ${sum.token}, ${sum.against ?? 'None'}
logits, cache = model.run_with_cache(tokens)
_, theirs = model.run_with_cache(other)


def measured(logits):
    last = logits[0, -1]
    return (last[TOKEN] - (0 if AGAINST is None else last[AGAINST])).item()


# What each head writes for the logit, with the final norm's scale as it was.
column = model.W_U[:, TOKEN] - (0 if AGAINST is None else model.W_U[:, AGAINST])


def parts(cache):
    written = cache.apply_ln_to_stack(cache.stack_head_results(layer=-1, pos_slice=-1), layer=-1, pos_slice=-1)
    return (written * model.ln_final.w @ column).reshape(LAYERS, HEADS).tolist()


def changed(places):
    """A run with heads and stretches of the stream at 0, or as they are in the other text."""

    def hook(values, hook):
        for name, at, taken in places:
            if name != hook.name:
                continue
            where = (slice(None), slice(None), at) if name.endswith("hook_z") else (slice(None), at)
            values[where] = theirs[name][where] if taken else 0
        return values

    with model.hooks(fwd_hooks=[(name, hook) for name in {name for name, *_ in places}]):
        return model.run_with_cache(tokens)


def alone(layer, head):
    return measured(changed([(f"blocks.{layer}.attn.hook_z", head, ${value === 'zero' ? 'False' : 'True'})])[0])


after, cache_after = changed(${python})
print(json.dumps({
    "total": measured(logits),
    "heads": parts(cache),
    "alone": [[alone(i, h) for h in range(HEADS)] for i in range(LAYERS)],
    "after": measured(after),
    "heads after": parts(cache_after),
}, indent=1))
`;
}
