// The signs of all notations: operators, relations, brackets.

/** @typedef {import('./tokens.js').Kind} Kind */

/** Operators and relations in all notations, longest first; UTF-8 that was read as Windows-1252 too.
 * A line has the kind of token, its text, and how it may be written.
 * @type {[written: string, kind: Kind, text: string][]} */
const SIGNS = String.raw`
  op      ·      \cdot \times \ast · × ∙ ⋅ ∗ • Â· Ã— @ * \* &times; &middot;
  op      ⊙      \odot ⊙
  op      /      / ÷ \div
  op      +      +
  op      -      - − – &minus;
  op      ^      ** ^
  op      ᵀ      ^\top ^{\top} ^T ^{T} ^\mathsf{T} ^{\mathsf{T}} ^\mathrm{T} ^{\mathrm{T}} ^\intercal ^{\intercal}
  op      ᵀ      ^{\mathbf{T}} ^{\text{T}} ᵀ ⊤ ^⊤ .T áµ€ <sup>T</sup> <sup>⊤</sup>
  op      √      √ âˆš &radic;
  equals  =      = \approx \equiv \simeq \doteq ≈ â‰ˆ &approx; &asymp; ≃ ≅
  break   →      \rightarrow \to \Rightarrow \Longrightarrow \implies \iff \therefore \longrightarrow → â†’ ⇒ -> => ⟶ &rarr;
  break   break  \quad \qquad : ; |
  break   ‖      \| ‖ \Vert \lVert \rVert
  break   …      ... … \ldots \dots \cdots ⋯ &hellip;
  comma   ,      ,
  open    (      \left( (
  close   )      \right) )
  open    [      \left[ [
  close   ]      \right] ]
  open    {      {
  close   }      }
  open    ⟨      \left\langle \langle ⟨
  close   ⟩      \right\rangle \rangle ⟩
  cell    &      &amp; &
  row     \\     \\
`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [kind, text, ...signs] = line.trim().split(/ +/);
    return signs.map((sign) => /** @type {typeof SIGNS[number]} */ ([sign, kind, text]));
  })
  .sort(([a], [b]) => b.length - a.length);

/** By their first character, longest first. @type {Map<string, [string, Kind, string][]>} */
export const BY_FIRST = new Map();
for (const sign of SIGNS) BY_FIRST.set(sign[0][0], [...(BY_FIRST.get(sign[0][0]) ?? []), sign]);
