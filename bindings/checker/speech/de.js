// What is told of wrong numbers, in German.

/** @type {typeof import('./en.js').en} */
export const de = {
  wrong: 'Im Text steht {printed}; richtig ist {corrected}.',
  notUnderstood: 'Nicht verstanden, Zeile {line}: {text}',
  total: 'Falsche Zahlen: {wrong} von {checked} geprüften.',
  causes: {
    slip: '',
    'slip:sign': 'Das Vorzeichen ist falsch.',
    'slip:digits': 'Zwei Ziffern sind vertauscht.',
    'slip:point': 'Das Komma steht an der falschen Stelle.',
    'slip:rows': 'Zwei Zeilen sind vertauscht.',
    carried: 'Das folgt aus Zahl {follows} der Liste.',
    rounded: 'Eine Zahl davor wurde zu früh gerundet.',
  },
  misconceptions: {
    'no-scaling': 'Die Scores sind nicht durch √d_k geteilt.',
    'scale-by-dk': 'Die Scores sind durch d_k geteilt, nicht durch die Wurzel daraus.',
    'k-not-transposed': 'Q ist mit K multipliziert. Scores sind Q Kᵀ.',
    'scores-transposed': 'Das sind die Scores K Qᵀ. Zeilen gehören zu Queries: Q Kᵀ.',
    'w-transposed': 'Die Gewichtsmatrix ist transponiert. Die Projektion ist X W.',
    'weights-transposed':
      'Die Gewichte sind transponiert. Zeile i der Gewichte mischt die Values für Token i.',
    'softmax-over-columns': 'Softmax ist auf jede Spalte angewandt. Jede Zeile ergibt zusammen 1.',
    'no-exp': 'Die Scores sind durch ihre Summe geteilt, ohne Exponentialfunktion.',
    'base-2': 'Das sind Potenzen von 2. Softmax nimmt Potenzen von e.',
    'mask-zero': 'Maskierte Scores sind auf 0 gesetzt. Sie sind −∞.',
    'mask-flipped': 'Die Maske verdeckt die falsche Seite.',
    'positions-missing': 'Die Positionscodes sind nicht addiert.',
    'position-from-1': 'Die Positionen sind um eins zu hoch. Die erste Position ist 0.',
    'sin-cos-swapped': 'Sinus und Kosinus sind vertauscht. Gerade Kanäle nehmen den Sinus.',
    'exponent-i-for-2i': 'Der Exponent ist i / d. Richtig ist 2i / d.',
    'norm-over-tokens':
      'Jede Spalte ist normalisiert. Layer-Normalisierung normalisiert jede Zeile.',
    'norm-n-minus-1': 'Die Varianz ist durch n − 1 geteilt. Layer-Normalisierung teilt durch n.',
    'no-root': 'Hier ist durch die Varianz geteilt, nicht durch ihre Wurzel.',
    'no-gain-bias': 'Gain und Bias fehlen.',
    'log-base-10': 'Das ist der Logarithmus zur Basis 10. Der Verlust nimmt den natürlichen.',
    'label-shifted': 'Das ist das Label der nächsten Zeile.',
    'sum-for-mean': 'Das ist die Summe der Verluste. Der Verlust ist ihr Mittelwert.',
    'gradient-sign': 'Der Gradient hat das andere Vorzeichen: Er ist p − y.',
    'label-ignored': 'Das Label fehlt. Der Gradient ist p − y.',
    'adam-no-bias-correction': 'Die Bias-Korrektur fehlt: Teilen Sie durch 1 − βᵗ.',
    'adam-eps-inside': 'ε steht unter der Wurzel. Addieren Sie es nach der Wurzel.',
    'adam-no-root': 'Hier ist durch v geteilt, nicht durch die Wurzel daraus.',
    'warmup-power': 'Das Warm-up hat den Exponenten −0,5. In der Formel steht warmup^−1,5.',
  },
};
