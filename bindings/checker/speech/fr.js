// What is told of wrong numbers, in French.

/** @type {typeof import('./en.js').en} */
export const fr = {
  wrong: 'Le texte donne {printed} ; il faut {corrected}.',
  notUnderstood: 'Non compris, ligne {line} : {text}',
  total: 'Nombres faux : {wrong} sur {checked} vérifiés.',
  causes: {
    slip: '',
    'slip:sign': 'Le signe est faux.',
    'slip:digits': 'Deux chiffres ont échangé leurs places.',
    'slip:point': 'La virgule est mal placée.',
    'slip:rows': 'Deux lignes ont échangé leurs places.',
    carried: 'Cela découle du nombre {follows} de la liste.',
    rounded: 'Un nombre précédent a été arrondi trop tôt.',
  },
  misconceptions: {
    'no-scaling': 'Les scores ne sont pas divisés par √d_k.',
    'scale-by-dk': 'Les scores sont divisés par d_k, et non par sa racine carrée.',
    'k-not-transposed': 'Q est multiplié par K. Les scores sont Q Kᵀ.',
    'scores-transposed': 'Ce sont les scores K Qᵀ. Les lignes appartiennent aux requêtes : Q Kᵀ.',
    'w-transposed': 'La matrice de poids est transposée. La projection est X W.',
    'weights-transposed':
      'Les poids sont transposés. La ligne i des poids mélange les valeurs pour le token i.',
    'softmax-over-columns':
      'La softmax est appliquée à chaque colonne. C’est chaque ligne dont la somme vaut 1.',
    'no-exp': 'Les scores sont divisés par leur somme, sans exponentielles.',
    'base-2': 'Ce sont des puissances de 2. La softmax prend des puissances de e.',
    'mask-zero': 'Les scores masqués sont mis à 0. Ils valent −∞.',
    'mask-flipped': 'Le masque cache le mauvais côté.',
    'positions-missing': 'Les codes de position ne sont pas ajoutés.',
    'position-from-1': 'Les positions sont trop grandes de 1. La première position est 0.',
    'sin-cos-swapped': 'Sinus et cosinus sont échangés. Les canaux pairs prennent le sinus.',
    'exponent-i-for-2i': 'L’exposant est i / d. Il devrait être 2i / d.',
    'norm-over-tokens':
      'Chaque colonne est normalisée. La normalisation de couche normalise chaque ligne.',
    'norm-n-minus-1': 'La variance est divisée par n − 1. La normalisation de couche divise par n.',
    'no-root': 'On divise ici par la variance, et non par sa racine carrée.',
    'no-gain-bias': 'Le gain et le biais manquent.',
    'log-base-10': 'C’est le logarithme en base 10. La perte prend le logarithme naturel.',
    'label-shifted': 'C’est l’étiquette de la ligne suivante.',
    'sum-for-mean': 'C’est la somme des pertes. La perte est leur moyenne.',
    'gradient-sign': 'Le gradient a le signe opposé : c’est p − y.',
    'label-ignored': 'L’étiquette manque. Le gradient est p − y.',
    'adam-no-bias-correction': 'La correction du biais manque : divisez par 1 − βᵗ.',
    'adam-eps-inside': 'ε est ajouté sous la racine. Ajoutez-le après la racine.',
    'adam-no-root': 'On divise ici par v, et non par sa racine carrée.',
    'warmup-power': 'L’échauffement a la puissance −0,5. La formule contient warmup^−1,5.',
  },
};
