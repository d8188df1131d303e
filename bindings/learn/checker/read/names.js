// The names that a text has for its numbers, and what they mean.

/** @typedef {'input' | 'query' | 'key' | 'value' | 'scores' | 'scaled' | 'masked' | 'weights' | 'output'
 *   | 'places' | 'positions' | 'residual' | 'mean' | 'variance' | 'deviation' | 'gain' | 'bias' | 'norm'
 *   | 'labels' | 'loss' | 'entropy' | 'gradient' | 'moment1' | 'moment2' | 'corrected1' | 'corrected2' | 'update'
 *   | 'jacobian' | 'parameters' | 'rate' | 'exponentials' | 'sum' | 'cumulative' | 'concatenation' | null} Meaning */

/** The first that fits a label decides. @typedef {[Meaning, RegExp][]} Table */

/** In a text about learning, before the others. @type {Table} */
const OF_LEARNING = [
  ['corrected1', /^(m ?hat|hat ?m)(?!\p{L})|\bcorrected\b.*(\bm\b|\bfirst\b)|^m\b.*\bcorrected\b/u],
  [
    'corrected2',
    /^(v ?hat|hat ?v)(?!\p{L})|\bcorrected\b.*(\bv\b|\bsecond\b)|^v\b.*\bcorrected\b/u,
  ],
  ['moment1', /^m(?!\p{L})|\bfirst moments?\b/u],
  ['moment2', /^v(?!\p{L})|\bsecond moments?\b/u],
  ['update', /^(updates?|Δ)(?!\p{L})/iu],
  ['parameters', /^(new |old |updated )?(θ|theta|w|parameters?|weights?)(?!\p{L})/iu],
];

/** @type {Table} */
const MEANINGS = [
  /* From where to where numbers go. */
  [null, /\b(range|bereich|plage|rango|intervalo?)\b/i],
  ['input', /^W[\s_^]*\w?\b/],
  ['input', /\bweight matri|\b(query|key|value) (projection|matrix w)/i],
  [
    'output',
    /^(attention|attn) ?\( ?Q ?, ?K ?, ?V ?\)$|\b(attention|attn) outputs?\b(?!.*weight)/i,
  ],
  ['scores', /^(the |raw |our )*(attention|attn|dot.?product) scores?(?!.*(softmax|weight))/i],
  [
    'norm',
    /^(layer.?)?norm(ed|ali[sz]ed) (\w+ )?(embeddings?|features?|inputs?|vectors?|activations?|x)\b/i,
  ],
  /* Divided by their sum, or by a softmax. */
  [null, /normali[sz]ed (attention )?(weights|scores)/i],
  [
    'scaled',
    /scaled|^(?:frac ?)?Q ?[·*@]? ?K.{0,12}(√|sqrt)|^(?!.*softmax)[^=]{0,16}[/÷] ?\\?(√|sqrt)/i,
  ],
  ['masked', /\bmasked/i],
  [
    'exponentials',
    /^(exp|e(?= \w)|exponentials?|eˢ|eˣ)( ?\(.{1,20}\)| \w{1,8}| of (the )?scores?)?$/i,
  ],
  [
    'sum',
    /^(the )?(sum|total|denominator|Σ|∑|somme|summe|nenner|suma|soma|合|합|总和|總和|和)( of .{0,12}exp\w*)?$/i,
  ],
  [
    'sum',
    /\b(row|column) ?sums?\b|\bsums? (of|over|by) (the |each |all )?(rows?|columns?)\b|\bsommes? (des|par|de chaque) (ligne|colonne)s?\b|\b(zeilen|spalten)summen?\b|\bsumas? (de|por) (las |cada )?(fila|columna)s?\b|\bsomas? (das|por|de cada) (linha|coluna)s?\b|行和|[行列]之和|[行列]求和/i,
  ],
  ['concatenation', /\bconcat(enat\w+)?\b/i],
  ['cumulative', /\bcum(ulative|sum)\b|\brunning (sum|total)\b|\b(kumul|cumul|acumul)\w+/i],
  ['jacobian', /\bjacobi(an)?\b/i],
  ['gradient', /\bgradients?\b|^(g|grad|dz|dlogits)(?!\p{L})/iu],
  ['rate', /\blearning.?rates?\b|^(lr|lrate|η|eta|rates?)(?!\p{L})/iu],
  ['loss', /\b(loss(es)?|cross.?entropy|nll)\b/i],
  ['entropy', /\bentropy\b/i],
  ['labels', /^(one.?hot|labels?|targets?|y)(?!\p{L})|\bone.?hot\b/iu],
  ['positions', /\bpositional\b|\bsinusoid(s|al)?\b|\bposition (en)?codings?\b|^pe(?!\p{L})/iu],
  ['places', /^(pos|positions?)(?!\p{L})/iu],
  ['residual', /\bresidual\b|\b(final|placed) embeddings?\b/i],
  ['mean', /^(row )?(μ|mu|means?)( of .*| ?[\p{N}\p{L}]?)$/iu],
  ['variance', /^(row )?(σ ?²|variances?|var)( of .*| ?[\p{N}\p{L}]?)$/iu],
  ['deviation', /^(σ|sigma|std(?: ?dev)?|standard deviations?)( of .*| ?[\p{N}\p{L}]?)$/iu],
  ['gain', /^(γ|gamma|gain)(?!\p{L})/iu],
  ['bias', /^(β|beta|bias)(?!\p{L}| ?\p{N})/iu],
  [
    'input',
    /^(w|wq|wk|wv|wo|x|e|b)\b|\b(inputs?|embeddings?|projection|parameters?|learn(ed|able))\b/i,
  ],
  ['scaled', /\b(scale|divid(e|ed|ing))\b/i],
  [
    'weights',
    /\b(attention|attn|softmax|alpha|prob(s|ability|abilities))\b.*|\bweights\b|^weight$|^[Aαp]$/i,
  ],
  ['scores', /\b(scores?|raw|logits?|dot products?)\b|^S$|^Q ?\d? ?[·⋅*@×]? ?K/i],
  ['norm', /\b(norm|layernorm|normali[sz]ed)\b/i],
  ['output', /\b(outputs?|context|result|weighted sum)\b|^[OZ](\s+\p{L}{3,})?$/iu],
  ['query', /^q\b|\bquer(y|ies)\b/i],
  ['key', /^k\b|\bkeys?\b/i],
  ['value', /^v\b|\bvalues?\b/i],
];

/** Words of other languages, behind those of English. @type {Table} */
const ELSEWHERE = [
  ['scaled', /skaliert|à l.échelle|escalad|スケール|缩放|縮放|масштаб/iu],
  ['masked', /maskiert|masqué|enmascarad|mascarad/iu],
  ['gradient', /gradient/iu],
  ['loss', /verlust|perte|pérdida|perda|perdita|損失|损失|손실|потер/iu],
  ['entropy', /entrop[ií]a|entropie|エントロピー|熵|엔트로피|энтропи/iu],
  ['deviation', /standardabweichung|écart.type|desviación|desvio|標準偏差|标准差|표준편차/iu],
  ['variance', /varianz|variância|分散|方差|분산|дисперси/iu],
  ['mean', /^(mittelwert|moyenne|media|média|平均|평균|среднее)/iu],
  [
    'weights',
    /gewichte|poids|pesos|\bpesi\b|重み|가중치|веса|权重|權重|wahrscheinlichkeit|probabilidad|probabilité|確率|概率|機率|확률|вероятност/iu,
  ],
  [
    'scores',
    /punktwert|puntuaci|puntaje|pontuaç|punteggi|ロジット|スコア|로짓|점수|логит|оценк|得分|分數|分数/iu,
  ],
  ['output', /^(saída|salida|sortie|ausgabe)|出力|输出|輸出|출력|выход/iu],
  ['query', /consulta|requête|anfrage|クエリ|查询|查詢|쿼리|запрос/iu],
  ['key', /^(clave|clé|schlüssel|chave|キー|ключ|键|鍵)/iu],
];

/** Without the commands of LaTeX that set a name; \hat{m}, m̂ and m_hat are mhat. @param {string} label */
const plainOf = (label) =>
  label
    .replace(/\^\s?\{?\\?(?:top|intercal|(?:math\w+|text)\{T\}|T)(?![A-Za-z])\}?|⊤/g, 'ᵀ')
    .replace(/\\(?:text\w*|math\w+|bm|boldsymbol|vec|operatorname|tilde|bar)\b/g, '')
    .replace(/\\(?:wide)?hat\b\s?\{?\s?\\?(\p{L}{1,20})\s?\}?/gu, '$1hat')
    .replace(/(\p{L})\u0302/gu, '$1hat');

/** @param {string} label as the text has it
 * @returns {string} one form of all its notations */
export const formOf = (label) => titleOf(label).replaceAll('_', '');

const INDEX = String.raw`_(?:[A-Za-z\d]|\{\w{1,12}\}|\{\\(?:text|math\w\w)\{\w{1,20}\}\})`;
/** A capital letter, or any letter with an index. */
const LETTER = new RegExp(String.raw`(?:[A-Z](?:${INDEX})?|[a-z]${INDEX})(?:\^[A-Z])?`, 'g');

/** The letters that a name may multiply: QK, A_1V_1, q_1K. @param {string} name
 * @returns {string[]} */
export function lettersOf(name) {
  const letters = name.match(LETTER) ?? [];
  return letters.join('') === name ? letters : [];
}

/** What a reader is shown: x1 for x_1, but scaled_scores as a program has it. @param {string} label */
export function titleOf(label) {
  const plain = plainOf(label)
    .replace(/[\\{}$*`#^]/g, '')
    .replace(/(?<!\p{L}{2})_|_(?!\p{L}{2})/gu, '')
    .replace(/\(([^()]*(?:\([^()]*\))?)\)ᵀ/g, '$1ᵀ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > 3 ? plain.toLowerCase() : plain;
}

/** What kind of step a label names.
 * @param {string} label @param {boolean} learns whether the text is about learning
 * @returns {Meaning} */
export function meaningOf(label, learns) {
  const words = plainOf(label)
    .replace(/[\\{}$*`#^]/g, ' ')
    .replace(/_/g, ' ')
    .trim();
  const table = [...(learns ? OF_LEARNING : []), ...MEANINGS, ...ELSEWHERE];
  return table.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}
