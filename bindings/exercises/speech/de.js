// What a learner reads, in German. The same names as in en.js.

/** @type {typeof import('./en.js').en} */
export const de = {
  recipes: {
    projection: [
      'Queries, Keys und Values',
      'Multiplizieren Sie X mit jeder Gewichtsmatrix: Q = X W_Q, K = X W_K, V = X W_V.',
    ],
    scores: [
      'Scores',
      'Berechnen Sie die Scores Q Kᵀ: das Skalarprodukt jeder Query mit jedem Key.',
    ],
    'scaled-scores': [
      'Skalierte Scores',
      'Berechnen Sie die Scores Q Kᵀ und teilen Sie jeden durch √d_k.',
    ],
    'softmax-row': [
      'Softmax einer Zeile',
      'Machen Sie aus der Zeile skalierter Scores mit Softmax Attention-Gewichte.',
    ],
    weights: [
      'Attention-Gewichte',
      'Berechnen Sie die Scores, skalieren Sie sie und wenden Sie Softmax auf jede Zeile an.',
    ],
    'output-row': ['Ausgabe', 'Multiplizieren Sie die Attention-Gewichte mit den Values.'],
    attention: [
      'Attention von Hand',
      'Berechnen Sie Attention aus X: Queries, Keys und Values, Scores, skalierte Scores, Gewichte, Ausgabe.',
    ],
    'causal-attention': [
      'Kausale Attention',
      'Maskieren Sie die Scores späterer Tokens mit −∞ und berechnen Sie dann Gewichte und Ausgabe.',
    ],
    'padding-mask': [
      'Padding-Maske',
      'Maskieren Sie das Padding mit −∞ und berechnen Sie dann Gewichte und Ausgabe.',
    ],
    'two-heads': [
      'Zwei Köpfe',
      'Teilen Sie Q, K und V auf zwei Köpfe auf, berechnen Sie in jedem Kopf die Attention, fügen Sie die Ergebnisse zusammen und multiplizieren Sie mit W_O.',
    ],
    'cross-attention': [
      'Cross-Attention',
      'Die Queries kommen aus dem Ziel, Keys und Values aus der Ausgabe des Encoders (memory). Berechnen Sie die Ausgabe.',
    ],
    sinusoid: [
      'Sinusförmige Positionen',
      'Berechnen Sie die sinusförmigen Positionscodes und addieren Sie sie zu X.',
    ],
    shuffle: [
      'Vertauschte Tokens',
      'Die Tokens ändern ihre Reihenfolge. Welcher der ursprünglichen Ausgaben gleicht jede neue? Schreiben Sie deren Nummer, oder 0 für keine.',
    ],
    'layer-norm': [
      'Layer-Normalisierung',
      'Berechnen Sie Mittelwert und Varianz jeder Zeile, normalisieren Sie die Zeile und wenden Sie Gain und Bias an.',
    ],
    'residual-norm': [
      'Residualverbindung und Normalisierung',
      'Addieren Sie die Ausgabe der Teilschicht zu X und normalisieren Sie jede Zeile.',
    ],
    'feed-forward': [
      'Feed-forward-Netz',
      'Berechnen Sie die versteckte Schicht, wenden Sie ReLU an und berechnen Sie die Ausgabe.',
    ],
    'parameter-count': [
      'Anzahl der Parameter',
      'Zählen Sie die Parameter einer Schicht, Bias eingeschlossen. Die Schicht hat zwei Normalisierungen.',
    ],
    cost: [
      'Aufwand einer Schicht',
      'Zählen Sie die MAC-Operationen einer Schicht, je eine Multiplikation und eine Addition, für diese Anzahl von Tokens.',
    ],
    'cross-entropy': [
      'Kreuzentropie',
      'Berechnen Sie die Wahrscheinlichkeiten, den Verlust −ln p jedes Labels und den mittleren Verlust.',
    ],
    'label-smoothing': [
      'Label-Smoothing',
      'Glätten Sie die One-hot-Ziele und berechnen Sie dann die Kreuzentropie jeder Zeile.',
    ],
    'softmax-gradient': [
      'Gradient von Softmax mit Kreuzentropie',
      'Berechnen Sie die Wahrscheinlichkeiten und den Gradienten des Verlusts jeder Zeile nach ihren Logits.',
    ],
    'adam-step': [
      'Ein Schritt von Adam',
      'Aktualisieren Sie beide Momente, korrigieren Sie ihren Bias und berechnen Sie die neuen Parameter.',
    ],
    'noam-rate': ['Lernrate mit Warm-up', 'Berechnen Sie die Lernrate jedes Schritts.'],
    'greedy-and-beam': [
      'Greedy und Beam Search',
      'Wählen Sie zwei Wörter greedy und mit einem Beam, der alle Pfade behält. Wörter zählen ab 0. Geben Sie die Wahrscheinlichkeit jedes Paars an.',
    ],
    'dropout-scale': [
      'Dropout',
      'Wenden Sie Dropout an: Zahlen mit keep 0 werden 0, die anderen werden mit 1 / (1 − p) multipliziert.',
    ],
  },
  steps: {
    q: 'Queries Q',
    k: 'Keys K',
    v: 'Values V',
    scores: 'Scores',
    'scores.scaled': 'skalierte Scores',
    'scores.masked': 'maskierte Scores',
    weights: 'Attention-Gewichte',
    mix: 'gewichtete Values jedes Kopfes',
    output: 'Ausgabe',
    pos: 'Positionscodes',
    'x.pos': 'X mit Positionen',
    mean: 'Mittelwert',
    centred: 'X minus Mittelwert',
    variance: 'Varianz',
    norm: 'normalisierte Zeilen',
    residual: 'Residualsumme',
    hidden: 'versteckte Schicht',
    activation: 'nach ReLU',
    attention: 'Parameter der Attention',
    feed_forward: 'Feed-forward-Netz',
    norms: 'Parameter der Normalisierungen',
    layer: 'ganze Schicht',
    projections: 'Projektionen',
    probabilities: 'Wahrscheinlichkeiten',
    losses: 'Verluste',
    loss: 'mittlerer Verlust',
    targets: 'geglättete Ziele',
    gradient: 'Gradient',
    m: 'erstes Moment m',
    'm.corrected': 'm, Bias korrigiert',
    'v.corrected': 'v, Bias korrigiert',
    'adam-step.v': 'zweites Moment v',
    update: 'Update',
    'theta.new': 'neue Parameter',
    rate: 'Lernrate',
    greedy: 'Wörter, greedy',
    'greedy.p': 'Wahrscheinlichkeit, greedy',
    beam: 'Wörter, Beam',
    'beam.p': 'Wahrscheinlichkeit, Beam',
    same: 'gleicht Ausgabe Nummer',
  },
  inner: {
    'm.kept': 'altes m mal β₁',
    'm.share': 'Gradient mal 1 − β₁',
    'v.kept': 'altes v mal β₂',
    'v.share': 'quadrierter Gradient mal 1 − β₂',
    squares: 'Quadrate',
    moved: 'minus η mal Update',
    'softmax-gradient.opposite': 'Labels, Vorzeichen gewechselt',
    share: '1/n für jeden Kanal',
    opposite: '−1 für jeden Kanal',
    minus: 'Mittelwert, Vorzeichen gewechselt, in jedem Kanal',
    kept: 'Zahlen, die Dropout behält',
  },
  given: {
    memory: 'Ausgabe des Encoders',
    mask: 'Maske: 1 ist sichtbar, 0 ist verdeckt',
    position: 'Positionen',
    gain: 'Gain',
    bias: 'Bias',
    sublayer: 'Ausgabe der Teilschicht',
    w_1: 'Gewichte der versteckten Schicht',
    b_1: 'Bias der versteckten Schicht',
    w_2: 'Gewichte der Ausgabe',
    b_2: 'Bias der Ausgabe',
    keep: 'was Dropout behält: 1 bleibt, 0 fällt weg',
    logits: 'Logits',
    labels: 'Klasse jedes Labels, ab 0',
    label: 'One-hot-Labels',
    theta: 'Parameter θ',
    'm.before': 'erstes Moment vor dem Schritt',
    'v.before': 'zweites Moment vor dem Schritt',
    step: 'Schritte',
    first: 'Wahrscheinlichkeiten des ersten Worts',
    second: 'Wahrscheinlichkeiten des zweiten Worts: eine Zeile für jedes erste Wort',
    order: 'neue Reihenfolge der Zeilen von X, ab 0',
  },
  sizes: {
    rate: 'Lernrate',
    heads: 'Köpfe',
    vocab: 'Vokabular',
    tokens: 'Tokens',
    warmup: 'Warm-up-Schritte',
    step: 'Schritt t',
    positions: 'Positionscodes (1 mit, 0 ohne)',
  },
  states: {
    right: 'Richtig.',
    'early-rounding':
      'Richtig, aber ein Schritt davor wurde zu früh gerundet: Die genaue Zahl liegt näher bei {value}.',
    carried: 'Das folgt aus Ihren früheren Zahlen, die {follows} ergeben. Es zählt als richtig.',
    wrong: 'Das folgt nicht aus dem Schritt davor.',
    empty: 'Noch keine Antwort.',
    unreadable:
      'Ab Zeichen {at} ist das keine Zahl. Schreiben Sie zum Beispiel 1,33, 4/3, 2/√2 oder −∞.',
  },
  slips: {
    sign: 'Prüfen Sie die Vorzeichen: Eines ist falsch.',
    digits: 'Zwei Ziffern sind vertauscht.',
    point: 'Das Komma steht an der falschen Stelle.',
    term: 'In der Summe fehlt ein Produkt.',
    place: 'Das ist die Zahl der Nachbarzelle.',
  },
  misconceptions: {
    'no-scaling': 'Sie haben die Scores nicht durch √d_k geteilt.',
    'scale-by-dk': 'Sie haben die Scores durch d_k geteilt, nicht durch die Wurzel daraus.',
    'scale-by-sqrt-dmodel':
      'Sie haben die Scores durch √d_model geteilt. Die Keys haben d_k Kanäle: Teilen Sie durch √d_k.',
    'k-not-transposed':
      'Sie haben Q mit K multipliziert. Jeder Score ist das Skalarprodukt einer Query mit einem Key: Q Kᵀ.',
    'scores-transposed':
      'Sie haben K Qᵀ berechnet. Zeilen gehören zu Queries, Spalten zu Keys: Q Kᵀ.',
    'softmax-over-columns':
      'Sie haben Softmax auf jede Spalte angewandt. Jede Zeile, die Gewichte einer Query, ergibt in der Summe 1.',
    'softmax-over-all':
      'Sie haben Softmax auf die ganze Matrix angewandt. Jede Zeile ergibt in der Summe 1.',
    'no-exp':
      'Sie haben die Scores durch ihre Summe geteilt. Softmax bildet zuerst e hoch jeden Score.',
    'base-2': 'Sie haben Potenzen von 2 genommen. Softmax nimmt Potenzen von e.',
    'sum-not-normalised': 'Sie haben die Exponentialwerte nicht durch ihre Summe geteilt.',
    'weights-transposed':
      'Sie haben die transponierten Gewichte mit V multipliziert. Zeile i der Gewichte mischt die Values für Token i.',
    'x-for-v': 'Sie haben die Zeilen von X gemischt. Die Gewichte mischen die Values V.',
    'x-for-k': 'Sie haben X statt der Keys K genommen.',
    'w-transposed':
      'Sie haben mit der transponierten Gewichtsmatrix multipliziert. Berechnen Sie X W: Zeilen von X mal Spalten von W.',
    'mask-zero':
      'Sie haben maskierte Scores auf 0 gesetzt. Setzen Sie −∞: e⁰ ist 1 und bekommt noch Gewicht.',
    'mask-after-softmax':
      'Sie haben nach Softmax maskiert: Die Zeilen ergeben nicht mehr 1. Maskieren Sie die Scores davor.',
    'mask-strict': 'Sie haben auch die Diagonale maskiert. Ein Token beachtet auch sich selbst.',
    'mask-flipped':
      'Sie haben die falsche Seite maskiert. Maskieren Sie, was das Token nicht sehen darf.',
    'mask-forgotten': 'Sie haben die Maske nicht angewandt.',
    'heads-averaged': 'Sie haben die Köpfe gemittelt. Stellen Sie sie nebeneinander.',
    'heads-split-by-token':
      'Sie haben die Zeilen auf die Köpfe verteilt. Verteilen Sie die Kanäle: Jeder Kopf sieht alle Tokens.',
    'no-w-o': 'Sie haben die Ausgabeprojektion W_O weggelassen.',
    'positions-missing': 'Sie haben die Positionscodes weggelassen.',
    'position-from-1': 'Ihre Positionen sind um 1 zu hoch. Die erste Position ist 0.',
    'sin-cos-swapped': 'Sie haben Sinus und Kosinus vertauscht. Gerade Kanäle nehmen den Sinus.',
    'exponent-i-for-2i': 'Ihr Exponent ist i / d. Er ist 2i / d, mit i als Nummer des Paars.',
    'norm-over-tokens':
      'Sie haben jede Spalte normalisiert. Layer-Normalisierung normalisiert jede Zeile, die Kanäle eines Tokens.',
    'norm-n-minus-1':
      'Sie haben die Varianz durch n − 1 geteilt. Layer-Normalisierung teilt durch n.',
    'no-root': 'Sie haben durch die Varianz geteilt. Teilen Sie durch die Wurzel daraus.',
    'no-gain-bias': 'Sie haben Gain und Bias weggelassen.',
    'norm-before-residual':
      'Sie haben vor dem Addieren normalisiert. Hier wird die Summe normalisiert.',
    'relu-forgotten': 'Sie haben ReLU weggelassen: Negative Zahlen werden 0.',
    'no-bias': 'Sie haben den Bias weggelassen.',
    'dropout-not-rescaled': 'Sie haben nicht reskaliert. Teilen Sie, was bleibt, durch 1 − p.',
    'log-base-10':
      'Sie haben den Zehnerlogarithmus genommen. Nehmen Sie den natürlichen Logarithmus.',
    'sum-for-mean': 'Sie haben die Verluste addiert. Der Verlust ist ihr Mittelwert.',
    'label-shifted': 'Sie haben das Label der nächsten Zeile genommen.',
    'smoothing-on-all':
      'Sie haben ε nur auf die anderen Klassen verteilt. Jede Klasse, auch die richtige, bekommt ε / V.',
    'label-ignored':
      'Sie haben das Label weggelassen: Ziehen Sie 1 von der Wahrscheinlichkeit der richtigen Klasse ab.',
    'gradient-sign': 'Ihr Gradient hat das umgekehrte Vorzeichen: Er ist p − y.',
    'adam-no-bias-correction': 'Sie haben die Bias-Korrektur weggelassen: Teilen Sie durch 1 − βᵗ.',
    'adam-eps-inside': 'Sie haben ε unter der Wurzel addiert. Addieren Sie es nach der Wurzel.',
    'adam-no-root': 'Sie haben durch v geteilt. Teilen Sie durch die Wurzel daraus.',
    'warmup-power': 'Sie haben warmup^−0,5 genommen. In der Formel steht step · warmup^−1,5.',
    'order-kept': 'Die Ausgaben wandern mit ihren Tokens.',
    'greedy-for-beam': 'Sie haben greedy gewählt. Der Beam behält das wahrscheinlichste Paar.',
    'probabilities-added': 'Sie haben die Wahrscheinlichkeiten addiert. Multiplizieren Sie sie.',
    'biases-not-counted': 'Sie haben die Bias-Werte weggelassen.',
    'heads-multiply':
      'Sie haben mit der Anzahl der Köpfe multipliziert. Die Köpfe teilen sich die Kanäle: Die Projektionen bleiben gleich groß.',
    'cost-without-square': 'Sie haben nur eine Query gezählt. Jedes Token hat eigene Scores.',
  },
  hints: {
    where: 'Sehen Sie sich an: {step}.',
    operands: 'Die Zahl berechnet sich aus {operands}.',
    products: '{products}',
    sum: 'Sie ist {value}.',
  },
  sheet: {
    title: 'Aufgaben',
    given: 'Gegeben',
    asked: 'Zu berechnen',
    key: 'Lösung',
    working: 'Rechenweg',
    head: 'Kopf {n}',
    seed: 'Rezept {recipe}, Startwert {seed}.',
    mistakes: 'Bekannte Fehler ergeben diese Zahlen:',
    rounding: {
      digits: 'Runden Sie in jedem Schritt auf {n} Dezimalstellen.',
      significant: 'Runden Sie in jedem Schritt auf {n} signifikante Stellen.',
      whole: 'Alle Antworten sind ganze Zahlen.',
      exact: 'Runden Sie nicht: Geben Sie genaue Zahlen an.',
    },
  },
};
