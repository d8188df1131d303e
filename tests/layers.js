// Who may include or import whom. Prints each line that breaks a rule, and exits 1 if there is one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readingsIn } from './names.js';

const root = path.resolve(import.meta.dirname, '..');

/** A rule: files whose path matches `where` may name only what matches `may`. */
const rules = [
  {
    where: /^src\/f4\.h$/,
    may: /^(stdbool|stdint|stddef|string|wasm_simd128|emmintrin|arm_neon)\.h$/,
  },
  { where: /^src\/fmath\.h$/, may: /^(f4|stdint|stddef|string)\.h$/ },
  { where: /^src\/(random|text)\.h$/, may: /^(stdint|stddef)\.h$/ },
  { where: /^src\/row\.h$/, may: /^(fmath|stdbool)\.h$/ },
  { where: /^src\/row\.c$/, may: /^row\.h$/ },
  { where: /^src\/rank\.c$/, may: /^glassformer\.h$/ },
  { where: /^src\/score\.c$/, may: /^score\.h$/ },
  { where: /^src\/map\.h$/, may: /^(op|fmath)\.h$/ },
  { where: /^src\/(pair|reduce)\.h$/, may: /^(op|f4)\.h$/ },
  { where: /^src\/score\.h$/, may: /^(op|row)\.h$/ },
  { where: /^src\/gemm\.[ch]$/, may: /^(gemm|f4|stdbool)\.h$/ },
  { where: /^src\/op\.h$/, may: /^(glassformer\.h|(ops|errors)\.def|stdbool\.h)$/ },
  { where: /^src\/patch\.[ch]$/, may: /^(op|patch|gemm)\.h$/ },
  { where: /^src\/ops\.[ch]$/, may: /^(op|ops|float)\.h$|^ops\.def$/ },
  {
    where: /^src\/op\//,
    may: /^(op|f4|fmath|gemm|map|pair|patch|random|reduce|row|score|stored)\.h$/,
  },
  { where: /^src\/stored\.h$/, may: /^op\.h$/ },
  { where: /^src\/stored\//, may: /^(f4|format|gemm|patch|read|row|stored|string)\.h$/ },
  { where: /^src\/tape\.[ch]$/, may: /^(tape|team|ops|text|string)\.h$/ },
  { where: /^src\/team\.[ch]$/, may: /^(team|glassformer|stdbool)\.h$/ },
  { where: /^src\/self_test\.c$/, may: /^(tape|string)\.h$/ },
  { where: /^src\/description\.c$/, may: /^(tape|assert)\.h$/ },
  {
    where: /^src\/model\//,
    may: /^(architecture|attention|block|glassformer|path|stack|stdbool|tape|text)\.h$/,
  },
  {
    where: /^src\/train\//,
    may: /^(glassformer|random|tape|team|f4|fmath|stdbool|stdint|string)\.h$/,
  },
  { where: /^src\/decode\//, may: /^glassformer\.h$/ },
  {
    where: /^src\/formats\//,
    may: /^(fmath|glassformer|header|limits|stdbool|stored|string)\.h$|^architectures\.def$/,
  },
  { where: /^src\/glassformer\.h$/, may: /^(stddef|stdint)\.h$/ },
  {
    where: /^src\/api\//,
    may: /^(tape|text|fmath|glassformer|stored|string)\.h$|^(errors|ops)\.def$/,
  },
  { where: /^bindings\/build\/package\.js$/, may: /^rolldown(\/parseAst)?$|^node:/ },
  { where: /^bindings\/build\/deflated\.js$/, may: /^@gfx\/zopfli$/ },
  {
    where: /^bindings\/build\/words\.js$/,
    may: /^bindings\/build\/write\.js$|^@messageformat\/core$|^node:/,
  },
  {
    where:
      /^bindings\/(cli|build|(models\/cores|models\/threads|models\/worker)\/node)\/|^bindings\/js\/external\/node\.js$/,
    may: /^bindings\/|^node:/,
  },
  { where: /^bindings\/js\/runtime\/unpack\.c$/, may: /^stdint\.h$/ },
  {
    where: /^bindings\/models\/formats\/tokenizer-pattern\.js$/,
    may: /^bindings\/|^@huggingface\/tokenizers$/,
  },
  { where: /^bindings\//, may: /^bindings\// },
  {
    where: /^web\/workers\/reader\/core\.js$/,
    may: /^bindings\/(js\/base\/(errors|file)|js\/model\/file|models\/formats\/(token-lists|tokenizer))\.js$/,
  },
  {
    where: /^web\/workers\/reader\/headers\.js$/,
    may: /^bindings\/models\/checkpoints\/open\.js$/,
  },
  { where: /^web\/workers\/reader\/cutting\.js$/, may: /^bindings\/models\/formats\/cutting\.js$/ },
  {
    where: /^web\/workers\/reader\/talk\.js$/,
    may: /^bindings\/models\/text\/(fit|writer)\.js$/,
  },
  {
    where: /^web\/workers\/reader\/session\.js$/,
    may: /^bindings\/models\/text\/(generate|session)\.js$/,
  },
  {
    where: /^web\/workers\/reader\/stored\.js$/,
    may: /^web\/workers\/reader\/|^bindings\/models\.js$/,
  },
  {
    where: /^web\/workers\/inside\/core\.js$/,
    may: /^bindings\/(index|lab\/inside\/(index|attention)|lab\/stories\/index)\.js$/,
  },
  {
    where: /^web\/(chapters\/transformer\/roles-core|workers\/inside\/meaning)\.js$/,
    may: /^bindings\/lab\/(inside|tasks)\/index\.js$/,
  },
  { where: /^web\/workers\/inside\/story-model\.js$/, may: /^bindings\/lab\/stories\/index\.js$/ },
  {
    where: /^web\/workers\/birth\/core\.js$/,
    may: /^bindings\/(index|lab\/inside\/index|lab\/stories\/(index|repeats))\.js$/,
  },
  { where: /^web\/workers\/birth\//, may: /^web\/(workers\/birth|workers\/remote)\// },
  {
    where: /^web\/workers\/inside\/take\.js$/,
    may: /^web\/workers\/inside\/(experiments|stories)\.js$|^bindings\/js\/base\/csv\.js$/,
  },
  {
    where: /^web\/workers\/remote\//,
    may: /^web\/workers\/remote\/|^bindings\/js\/base\/(call-(client|server)|passed)\.js$/,
  },
  {
    where: /^web\/workers\/reader\/model\.js$/,
    may: /^web\/workers\/reader\/|^bindings\/(data\/models\/|lab\/tasks\/index\.js$)/,
  },
  {
    where: /^web\/workers\/reader\//,
    may: /^web\/(workers\/reader|workers\/remote)\/|^bindings\/data\/models\//,
  },
  { where: /^web\/app\/session\.js$/, may: /^bindings\/index\.js$|^web\/|^#capabilities$/ },
  { where: /^web\/capabilities\/page\.js$/, may: /^web\/|^bindings\/learn\/exercises\/index\.js$/ },
  {
    where: /^web\/capabilities\/assignment\.js$/,
    may: /^bindings\/(index|learn\/exercises\/(formats\/page|marking\/(hints|mark)))\.js$/,
  },
  {
    where: /^web\/figures\/assignment\/package\.js$/,
    may: /^bindings\/learn\/exercises\/formats\/masked\.js$/,
  },
  { where: /^web\/player\/pocket\.js$/, may: /^bindings\/lab\/pocket\/index\.js$/ },
  { where: /^web\/player\/core\.js$/, may: /^bindings\/learn\/lessons\/play\.js$/ },
  {
    where: /^web\/chapters\/exercises\/(fields|numbers|text)\.js$/,
    may: /^web\/|^bindings\/(js\/number\/block|learn\/(exercises\/problem\/given|checker\/place))\.js$|^lit/,
  },
  {
    where: /^web\/chapters\/attention\/(element|what-if)\.js$/,
    may: /^web\/|^#capabilities$|^bindings\/js\/(number\/judge|trace\/example-text)\.js$|^lit$/,
  },
  {
    where: /^web\/player\/reading\.js$/,
    may: /^bindings\/(js\/number\/(judge|read)|learn\/lessons\/(sequence|share))\.js$/,
  },
  { where: /^web\/player\/reader\.js$/, may: /^bindings\/learn\/lessons\/read\.js$/ },
  {
    where: /^web\/chapters\/inside\/view\.js$/,
    may: /^bindings\/learn\/lessons\/inside-steps\.js$|^web\//,
  },
  {
    where: /^web\/chapters\/transformer\/bits\.js$/,
    may: /^web\/|^bindings\/models\/products\.js$|^lit$/,
  },
  {
    where: /^web\/chapters\/transformer\/recurrence\.js$/,
    may: /^web\/|^bindings\/lab\/inside\/recurrence\.js$|^lit$/,
  },
  { where: /^web\/stage\/ops\.js$/, may: /^bindings\/generated\/ops\.js$/ },
  { where: /^web\/stage\/export\/snippet\.js$/, may: /^bindings\/generated\/codes\.js$|^web\// },
  {
    where: /^web\/workers\/trainer\/core\.js$/,
    may: /^bindings\/(index|lab\/tasks\/(index|held-out))\.js$/,
  },
  {
    where: /^web\/workers\/trainer\//,
    may: /^web\/(workers\/trainer|workers\/remote)\/|^bindings\/js\/base\/passed\.js$/,
  },
  { where: /^web\/workers\/checker\/core\.js$/, may: /^bindings\/(learn\/checker\/)?index\.js$/ },
  { where: /^web\/workers\/checker\//, may: /^web\/(workers\/checker|workers\/remote)\// },
  { where: /^web\/app\/offline\//, may: /^node:/ },
  {
    where: /^web\/bundle\//,
    may: /^node:|^vite$|^web\/bundle\/|^bindings\/js\/base\/palette\.js$/,
  },
  {
    where: /^web\/figures\/embed\/build\.js$/,
    may: /^web\/(bundle|figures\/embed)\/|^bindings\/(cli\/figures|build\/(deflated|write)|generated\/simd|learn\/exercises\/formats\/packed)\.js$|^vite$|^node:/,
  },
  {
    where: /^web\/figures\/embed\/french-english\.js$/,
    may: /^web\/figures\/embed\/weights\.js$|^bindings\/lab\/tasks\/(french-english|vocabulary)\.js$/,
  },
  {
    where: /^web\/figures\/embed\/lesson-exercises\.js$/,
    may: /^bindings\/learn\/exercises\/.*\.js$/,
  },
  {
    where: /^web\/stage\/draw\/format\.js$/,
    may: /^bindings\/js\/number\/(judge|read)\.js$|^web\/stage\/draw\/memoized\.js$/,
  },
  { where: /^web\/stage\/draw\/colour\.js$/, may: /^bindings\/js\/base\/palette\.js$/ },
  { where: /^web\/stage\/draw\//, may: /^web\/stage\/draw\// },
  { where: /^web\/stage\/motion\//, may: /^web\/stage\/motion\// },
  {
    where: /^web\/app\/locale\//,
    may: /^web\/app\/locale\/|^#pages$|^bindings\/(js\/base\/(message|speech)|generated\/(languages|pages))\.js$|^bindings\/words\//,
  },
  {
    where: /^web\/stage\/elements\/sharpness\.js$/,
    may: /^web\/(stage|app\/locale)\/|^bindings\/lab\/inside\/information\.js$|^lit$/,
  },
  {
    where: /^web\/stage\/elements\/grid\.js$/,
    may: /^web\/(stage|app\/locale)\/|^bindings\/js\/number\/block\.js$|^lit$/,
  },
  {
    where: /^web\/stage\/elements\//,
    may: /^web\/(stage\/elements|stage\/draw|stage\/experiments|stage\/export|app\/locale|stage\/motion|app\/state|style|stage\/telling)\/|^web\/stage\/ops\.js$|^#capabilities$|^bindings\/js\/base\/turn\.js$|^lit|^uplot/,
  },
  {
    where: /^web\//,
    may: /^web\/|^#capabilities$|^bindings\/js\/base\/(palette|turn)\.js$|^lit|^vite$|^node:/,
  },
  { where: /^docs\/headless\//, may: /^glassformer(\/|$)|^node:/ },
  { where: /^tests\/bench\/machine\.[ch]$/, may: /^machine\.h$/ },
  {
    where: /^tests\/bench\/native\.c$/,
    may: /^(glassformer|machine|stdio|stdlib|string|time)\.h$/,
  },
  {
    where: /^tests\/bench\/players\//,
    may: /^tests\/bench\/players\/|^(@tensorflow\/|onnxruntime-web|protobufjs$)|^node:/,
  },
  {
    where: /^tests\/bench\/writers\//,
    may: /^tests\/(bench\/|web\/browser\.js$)|^bindings\/|^(esbuild|@wllama\/wllama|node-llama-cpp)$|^node:/,
  },
  { where: /^tests\/bench\/page\.js$/, may: /^tests\/(bench|web)\/|^node:/ },
  { where: /^tests\/bench\//, may: /^tests\/bench\/|^bindings\/|^esbuild$|^node:/ },
];

/** Words that a part must not say at all, because they reach past its layer. */
const forbidden = [
  { where: /^src\/(?!glassformer\.h)/, words: /\b(malloc|calloc|free|printf|exit|errno)\s*\(/ },
  { where: /^src\/model\//, words: /\bgf_node_(value|grad)\b|->\s*(nodes|y)\b/ },
  /* Names are looked up, whole, but those in files; what nodes are, they say. */
  { where: /^src\/(?!tape\.c|api\/|formats\/)/, words: /\b(strn?cmp|strstr|strr?chr|memcmp)\s*\(/ },
  { where: /^bindings\/(?!cli|build)/, words: /\b(document|window|HTMLElement)\b\s*[.(]/ },
  {
    where: /^bindings\/(?!js\/external\/fetched\.js|models\/formats\/source\.js)/,
    words: /\bfetch\s*\(/,
  },
  /* An error is made of a sentence of the tables, by typeError, rangeError or failure. */
  {
    where: /^bindings\/(?!js\/base|build|cli)/,
    words: /\bnew (Error|TypeError|RangeError|GlassformerError)\b/,
  },
  { where: /^web\/stage\/draw\//, words: /\bdocument\.|\bquerySelector/ },
  /* Files are saved by saveFile. */
  { where: /^web\/(?!stage\/elements\/save\.js)/, words: /\.download = / },
];

const named = {
  '.c': /^\s*#include\s+["<]([^">]+)[">]/gm,
  '.h': /^\s*#include\s+["<]([^">]+)[">]/gm,
  '.js':
    /(?:^\s*(?:import|export)\b[^'"`;]*?from\s*|^\s*import\s*|\bimport\(\s*)['"]([^'"]+)['"]/gm,
};

const sources = ['src', 'bindings', 'web', 'docs/headless', 'tests/bench'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((name) => path.extname(name) in named && !/generated|node_modules/.test(name)),
);

const problems = [];
/** Which files each file names, for the search for cycles.
 * @type {Map<string, string[]>} */
const imports = new Map();
for (const file of sources) {
  const source = readFileSync(path.join(root, file), 'utf8');
  const text = source.replace(/\/\*[\s\S]*?\*\//g, blank);
  const line = (at) => text.slice(0, at).split('\n').length;
  const rule = rules.find(({ where }) => where.test(file));
  if (!rule) {
    problems.push(`${file}: belongs to no layer; give it a rule in tests/layers.js`);
    continue;
  }
  for (const match of text.matchAll(named[path.extname(file)])) {
    const target = match[1].startsWith('.') ? path.join(path.dirname(file), match[1]) : match[1];
    if (match[1].startsWith('.')) imports.set(file, [...(imports.get(file) ?? []), target]);
    if (!rule.may.test(target)) {
      problems.push(`${file}:${line(match.index)}: must not use ${target}`);
    }
  }
  for (const { line: at, what } of /^(bindings|web)\/.*\.js$/.test(file)
    ? readingsIn(file, source)
    : []) {
    problems.push(`${file}:${at}: reads the name of a node, which says itself what it is: ${what}`);
  }
  for (const { where, words } of forbidden) {
    const match = where.test(file) && text.match(words);
    if (match) problems.push(`${file}:${line(match.index)}: must not say ${match[0].trim()}`);
  }
}

/** Comments may name anything, types of other layers too: keeps their lines only. */
function blank(comment) {
  return comment.replace(/[^\n]/g, ' ');
}

/** Where a file lives: its folder; the files at the top of a part stand each for itself. */
const roomOf = (file) => (path.dirname(file).includes('/') ? path.dirname(file) : file);

/** Rooms that use each other, by whatever way around: each way is told once. */
function cyclesOf() {
  const uses = new Map();
  for (const [file, targets] of imports) {
    const room = roomOf(file);
    for (const target of targets) {
      if (roomOf(target) === room) continue;
      if (!uses.has(room)) uses.set(room, new Map());
      uses.get(room).set(roomOf(target), `${file} uses ${target}`);
    }
  }
  const done = new Set();
  const found = [];
  const visit = (room, trail) => {
    const at = trail.findIndex((step) => step.room === room);
    if (at >= 0) found.push(trail.slice(at).map(({ why }) => why));
    if (at >= 0 || done.has(room)) return;
    for (const [next, why] of uses.get(room) ?? []) visit(next, [...trail, { room, why }]);
    done.add(room);
  };
  for (const room of uses.keys()) visit(room, []);
  return found;
}
for (const cycle of cyclesOf()) problems.push(`folders in a cycle: ${cycle.join('; ')}`);

for (const problem of problems) console.error(problem);
console.log(`${sources.length} files, ${problems.length} layer rules broken`);
process.exitCode = problems.length ? 1 : 0;
