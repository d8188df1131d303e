// How French is written here, for the tests.

/** What is not said, and what is said instead. @type {[RegExp, string][]} */
export const terms = [
  [/ [;:!?»]|« /, 'a space that does not break'],
  [/\p{L}'\p{L}|["“”]\p{L}{3,}[^":]* /u, '’ and « »'],
  [/\bpas d’apprentissage\b/i, 'taux d’apprentissage'],
  [/\b(le|du|au) softmax\b/i, 'la softmax'],
  [/\bscores? réduits?\b/i, 'scores mis à l’échelle'],
  [/\brésidus?\b/i, 'connexion résiduelle, somme résiduelle'],
  [/\bencodages? de position\b/i, 'code de position'],
  [/(?<!fai(t|re|ssent) )(?<!font )\btourne(nt|r)? (des|chaque|les) paires?\b/i, 'faire tourner'],
  [/\btexte (affiche|imprime)\b/i, 'le texte donne'],
  [/\bplaces? (n|de la cible|de la source)\b|\b(chaque|aucune) place\b/i, 'position'],
  [/\bcellules?\b/i, 'case'],
  [/\bnon (effectué|ouvert|écrit)\b/i, 'impossible'],
];

/** Words in the longest sentence. */
export const longest = 38;

/** Words of the page that are spelt as in English. */
export const alike = [
  'Attention',
  'Positions',
  'positions',
  '+ positions',
  'position',
  '{cell}, position {position}',
  'Distance',
  'distance',
  'distance {d}',
  'Source',
  'source',
  'tokens',
  'Tokens',
  'softmax',
  'feed-forward',
  'score',
  'Scores',
  'place',
  'Places',
  'positions n',
  'convolution',
  'Checkpoint…',
  'Dates',
  'dropout',
  'Dropout',
  'logit',
  'Activation',
  'activation',
  'rotation',
  'total',
  'top k',
  'gradient',
  'gradients',
  'intact',
  'segment',
  'Segments',
  'Microscope',
  'quotient',
  'indices',
  'Ctrl V',
];
