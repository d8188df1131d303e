// What a learner reads, in French. The same names as in en.js.

/** @type {typeof import('./en.js').en} */
export const fr = {
  recipes: {
    projection: [
      'Requêtes, clés et valeurs',
      'Multipliez X par chaque matrice de poids : Q = X W_Q, K = X W_K, V = X W_V.',
    ],
    scores: [
      'Scores',
      'Calculez les scores Q Kᵀ : le produit scalaire de chaque requête avec chaque clé.',
    ],
    'scaled-scores': [
      'Scores mis à l’échelle',
      'Calculez les scores Q Kᵀ, puis divisez chacun par √d_k.',
    ],
    'softmax-row': [
      'Softmax d’une ligne',
      'Transformez la ligne de scores mis à l’échelle en poids d’attention, par la softmax.',
    ],
    weights: [
      'Poids d’attention',
      'Calculez les scores, mettez-les à l’échelle, puis appliquez la softmax à chaque ligne.',
    ],
    'output-row': ['Sortie', 'Multipliez les poids d’attention par les valeurs.'],
    attention: [
      'L’attention à la main',
      'Calculez l’attention à partir de X : requêtes, clés et valeurs, scores, scores mis à l’échelle, poids, sortie.',
    ],
    'causal-attention': [
      'Attention causale',
      'Masquez par −∞ les scores des tokens suivants, puis calculez les poids et la sortie.',
    ],
    'padding-mask': [
      'Masque de remplissage',
      'Masquez le remplissage par −∞, puis calculez les poids et la sortie.',
    ],
    'two-heads': [
      'Deux têtes',
      'Répartissez Q, K et V entre deux têtes, calculez l’attention de chacune, réunissez les résultats et multipliez par W_O.',
    ],
    'cross-attention': [
      'Attention croisée',
      'Les requêtes viennent de la cible, les clés et les valeurs de la sortie de l’encodeur (memory). Calculez la sortie.',
    ],
    sinusoid: ['Positions sinusoïdales', 'Calculez les codes de position, puis ajoutez-les à X.'],
    shuffle: [
      'Tokens mélangés',
      'Les tokens changent d’ordre. À quelle sortie d’origine chaque nouvelle sortie est-elle égale ? Écrivez son numéro, ou 0 si aucune.',
    ],
    'layer-norm': [
      'Normalisation de couche',
      'Calculez la moyenne et la variance de chaque ligne, normalisez la ligne, puis appliquez le gain et le biais.',
    ],
    'residual-norm': [
      'Connexion résiduelle et normalisation',
      'Ajoutez à X la sortie de la sous-couche, puis normalisez chaque ligne.',
    ],
    'feed-forward': [
      'Réseau feed-forward',
      'Calculez la couche cachée, appliquez ReLU, puis calculez la sortie.',
    ],
    'parameter-count': [
      'Nombre de paramètres',
      'Comptez les paramètres d’une couche, biais compris. La couche a deux normalisations.',
    ],
    cost: [
      'Coût d’une couche',
      'Comptez les multiplications-additions d’une couche pour ce nombre de tokens.',
    ],
    'cross-entropy': [
      'Entropie croisée',
      'Calculez les probabilités, la perte −ln p de chaque étiquette, puis la perte moyenne.',
    ],
    'label-smoothing': [
      'Lissage des étiquettes',
      'Lissez les cibles one-hot, puis calculez l’entropie croisée de chaque ligne.',
    ],
    'softmax-gradient': [
      'Gradient de la softmax avec entropie croisée',
      'Calculez les probabilités, puis le gradient de la perte de chaque ligne par rapport à ses logits.',
    ],
    'adam-step': [
      'Une itération d’Adam',
      'Mettez à jour les deux moments, corrigez leur biais et calculez les nouveaux paramètres.',
    ],
    'noam-rate': [
      'Taux d’apprentissage avec échauffement',
      'Calculez le taux d’apprentissage de chaque itération.',
    ],
    'greedy-and-beam': [
      'Recherche gloutonne et en faisceau',
      'Choisissez deux mots de façon gloutonne, puis par un faisceau qui garde tous les chemins. Les mots se comptent à partir de 0. Donnez la probabilité de chaque paire.',
    ],
    'dropout-scale': [
      'Dropout',
      'Appliquez le dropout : annulez les nombres dont keep vaut 0, et multipliez les autres par 1 / (1 − p).',
    ],
  },
  steps: {
    q: 'requêtes Q',
    k: 'clés K',
    v: 'valeurs V',
    scores: 'scores',
    'scores.scaled': 'scores mis à l’échelle',
    'scores.masked': 'scores masqués',
    weights: 'poids d’attention',
    mix: 'valeurs pondérées de chaque tête',
    output: 'sortie',
    pos: 'codes de position',
    'x.pos': 'X avec positions',
    mean: 'moyenne',
    centred: 'X moins sa moyenne',
    variance: 'variance',
    norm: 'lignes normalisées',
    residual: 'somme résiduelle',
    hidden: 'couche cachée',
    activation: 'après ReLU',
    attention: 'paramètres de l’attention',
    feed_forward: 'réseau feed-forward',
    norms: 'paramètres des normalisations',
    layer: 'couche entière',
    projections: 'projections',
    probabilities: 'probabilités',
    losses: 'pertes',
    loss: 'perte moyenne',
    targets: 'cibles lissées',
    gradient: 'gradient',
    m: 'premier moment m',
    'm.corrected': 'm, biais corrigé',
    'v.corrected': 'v, biais corrigé',
    'adam-step.v': 'second moment v',
    update: 'mise à jour',
    'theta.new': 'nouveaux paramètres',
    rate: 'taux d’apprentissage',
    greedy: 'mots, glouton',
    'greedy.p': 'probabilité, glouton',
    beam: 'mots, faisceau',
    'beam.p': 'probabilité, faisceau',
    same: 'égale à la sortie numéro',
  },
  inner: {
    'm.kept': 'ancien m fois β₁',
    'm.share': 'gradient fois 1 − β₁',
    'v.kept': 'ancien v fois β₂',
    'v.share': 'gradient au carré fois 1 − β₂',
    squares: 'carrés',
    moved: 'moins η fois la mise à jour',
    'softmax-gradient.opposite': 'étiquettes, signe inversé',
    share: '1/n pour chaque canal',
    opposite: '−1 pour chaque canal',
    minus: 'moyenne, signe inversé, dans chaque canal',
    kept: 'nombres gardés par le dropout',
  },
  given: {
    memory: 'sortie de l’encodeur',
    mask: 'masque : 1 est vu, 0 est caché',
    position: 'positions',
    gain: 'gain',
    bias: 'biais',
    sublayer: 'sortie de la sous-couche',
    w_1: 'poids de la couche cachée',
    b_1: 'biais de la couche cachée',
    w_2: 'poids de la sortie',
    b_2: 'biais de la sortie',
    keep: 'ce que le dropout garde : 1 reste, 0 est annulé',
    logits: 'logits',
    labels: 'classe de chaque étiquette, à partir de 0',
    label: 'étiquettes one-hot',
    theta: 'paramètres θ',
    'm.before': 'premier moment avant l’itération',
    'v.before': 'second moment avant l’itération',
    step: 'itérations',
    first: 'probabilités du premier mot',
    second: 'probabilités du second mot : une ligne par premier mot',
    order: 'nouvel ordre des lignes de X, à partir de 0',
  },
  sizes: {
    rate: 'taux d’apprentissage',
    heads: 'têtes',
    vocab: 'vocabulaire',
    tokens: 'tokens',
    warmup: 'itérations d’échauffement',
    step: 'itération t',
    positions: 'codes de position (1 avec, 0 sans)',
  },
  states: {
    right: 'Juste.',
    'early-rounding':
      'Juste, mais une étape précédente a été arrondie trop tôt : le nombre exact est plus proche de {value}.',
    carried:
      'Cela découle de vos nombres précédents, qui donnent {follows}. C’est compté comme juste.',
    wrong: 'Cela ne découle pas de l’étape précédente.',
    empty: 'Pas encore de réponse.',
    unreadable:
      'Ce n’est pas un nombre à partir du caractère {at}. Écrivez par exemple 1,33, 4/3, 2/√2 ou −∞.',
  },
  slips: {
    sign: 'Vérifiez les signes : l’un d’eux est faux.',
    digits: 'Deux chiffres ont été échangés.',
    point: 'La virgule est mal placée.',
    term: 'Il manque un produit dans la somme.',
    place: 'C’est le nombre de la case voisine.',
  },
  misconceptions: {
    'no-scaling': 'Vous n’avez pas divisé les scores par √d_k.',
    'scale-by-dk': 'Vous avez divisé les scores par d_k et non par sa racine carrée.',
    'scale-by-sqrt-dmodel':
      'Vous avez divisé les scores par √d_model. Les clés ont d_k canaux : divisez par √d_k.',
    'k-not-transposed':
      'Vous avez multiplié Q par K. Chaque score est le produit scalaire d’une requête et d’une clé : Q Kᵀ.',
    'scores-transposed':
      'Vous avez calculé K Qᵀ. Les lignes sont celles des requêtes, les colonnes celles des clés : Q Kᵀ.',
    'softmax-over-columns':
      'Vous avez appliqué la softmax à chaque colonne. C’est chaque ligne, les poids d’une requête, dont la somme vaut 1.',
    'softmax-over-all':
      'Vous avez appliqué la softmax à toute la matrice. La somme de chaque ligne vaut 1.',
    'no-exp':
      'Vous avez divisé les scores par leur somme. La softmax prend d’abord l’exponentielle de chaque score.',
    'base-2': 'Vous avez pris des puissances de 2. La softmax prend des puissances de e.',
    'sum-not-normalised': 'Vous avez pris les exponentielles sans les diviser par leur somme.',
    'weights-transposed':
      'Vous avez multiplié les poids transposés par V. La ligne i des poids combine les valeurs pour le token i.',
    'x-for-v': 'Vous avez combiné les lignes de X. Les poids combinent les valeurs V.',
    'x-for-k': 'Vous avez pris X à la place des clés K.',
    'w-transposed':
      'Vous avez multiplié par la matrice de poids transposée. Calculez X W : lignes de X par colonnes de W.',
    'mask-zero':
      'Vous avez mis 0 aux scores masqués. Mettez −∞ : e⁰ vaut 1 et reçoit encore du poids.',
    'mask-after-softmax':
      'Vous avez masqué après la softmax : la somme des lignes ne vaut plus 1. Masquez les scores avant.',
    'mask-strict': 'Vous avez aussi masqué la diagonale. Un token porte attention à lui-même.',
    'mask-flipped': 'Vous avez masqué le mauvais côté. Masquez ce que le token ne doit pas voir.',
    'mask-forgotten': 'Vous n’avez pas appliqué le masque.',
    'heads-averaged': 'Vous avez fait la moyenne des têtes. Placez-les côte à côte.',
    'heads-split-by-token':
      'Vous avez réparti les lignes entre les têtes. Répartissez les canaux : chaque tête voit tous les tokens.',
    'no-w-o': 'Vous avez oublié la projection de sortie W_O.',
    'positions-missing': 'Vous avez oublié les codes de position.',
    'position-from-1': 'Vos positions sont trop grandes de 1. La première position est 0.',
    'sin-cos-swapped': 'Vous avez échangé sinus et cosinus. Les canaux pairs prennent le sinus.',
    'exponent-i-for-2i': 'Votre exposant est i / d. C’est 2i / d, où i est le numéro de la paire.',
    'norm-over-tokens':
      'Vous avez normalisé chaque colonne. La normalisation de couche porte sur chaque ligne, les canaux d’un token.',
    'norm-n-minus-1':
      'Vous avez divisé la variance par n − 1. La normalisation de couche divise par n.',
    'no-root': 'Vous avez divisé par la variance. Divisez par sa racine carrée.',
    'no-gain-bias': 'Vous avez oublié le gain et le biais.',
    'norm-before-residual':
      'Vous avez normalisé avant d’ajouter. Ici, c’est la somme qui est normalisée.',
    'relu-forgotten': 'Vous avez oublié ReLU : les nombres négatifs deviennent 0.',
    'no-bias': 'Vous avez oublié le biais.',
    'dropout-not-rescaled': 'Vous n’avez pas rééchelonné. Divisez ce qui reste par 1 − p.',
    'log-base-10': 'Vous avez pris le logarithme décimal. Prenez le logarithme naturel.',
    'sum-for-mean': 'Vous avez additionné les pertes. La perte est leur moyenne.',
    'label-shifted': 'Vous avez pris l’étiquette de la ligne suivante.',
    'smoothing-on-all':
      'Vous avez réparti ε entre les autres classes seulement. Chaque classe, la bonne aussi, reçoit ε / V.',
    'label-ignored':
      'Vous avez oublié l’étiquette : retirez 1 à la probabilité de la bonne classe.',
    'gradient-sign': 'Votre gradient a le signe opposé : c’est p − y.',
    'adam-no-bias-correction': 'Vous avez oublié la correction du biais : divisez par 1 − βᵗ.',
    'adam-eps-inside': 'Vous avez ajouté ε sous la racine. Ajoutez-le après la racine.',
    'adam-no-root': 'Vous avez divisé par v. Divisez par sa racine carrée.',
    'warmup-power': 'Vous avez pris warmup^−0,5. La formule contient step · warmup^−1,5.',
    'order-kept': 'Les sorties suivent leurs tokens.',
    'greedy-for-beam':
      'Vous avez choisi de façon gloutonne. Le faisceau garde la paire la plus probable.',
    'probabilities-added': 'Vous avez additionné les probabilités. Multipliez-les.',
    'biases-not-counted': 'Vous avez oublié les biais.',
    'heads-multiply':
      'Vous avez multiplié par le nombre de têtes. Les têtes se partagent les canaux : les projections gardent leur taille.',
    'cost-without-square': 'Vous avez compté une seule requête. Chaque token a ses propres scores.',
  },
  hints: {
    where: 'Regardez : {step}.',
    operands: 'Ce nombre se calcule à partir de {operands}.',
    products: '{products}',
    sum: 'Il vaut {value}.',
  },
  sheet: {
    title: 'Exercices',
    given: 'Données',
    asked: 'À calculer',
    key: 'corrigé',
    working: 'Calculs',
    head: 'tête {n}',
    seed: 'Recette {recipe}, graine {seed}.',
    mistakes: 'Les erreurs connues donnent ces nombres :',
    rounding: {
      digits: 'Arrondissez à {n} décimales à chaque étape.',
      significant: 'Arrondissez à {n} chiffres significatifs à chaque étape.',
      whole: 'Toutes les réponses sont des nombres entiers.',
      exact: 'N’arrondissez pas : donnez des nombres exacts.',
    },
  },
};
