// How German is written here, for the tests.

/** What is not said, and what is said instead. @type {[RegExp, string][]} */
export const terms = [
  [/\p{L}'\p{L}|”|["“]\p{L}{3,}[^"“„:]* /u, '’ and „“'],
  [/\p{L}…/u, 'a space before …'],
  [
    /(^|[.:;?!] )(Addiere|Beobachte|Berechne|Drücke|Gib|Klicke|Nimm|Öffne|Prüfe|Schreibe|Setze|Suche|Wähle|Zeige|Ziehe)\b/,
    'Sie',
  ],
  [/\b(dein(e[mnrs]?)?|dich|dir)\b/i, 'Sie'],
  [/\bQuerys\b/, 'Queries'],
  [/\b(alle|zwei|drei|die) Token\b/i, 'Tokens'],
  [/(?<!-)\bHeads?\b/, 'Kopf, Köpfe'],
  [/\bLoss(es)?\b/, 'Verlust'],
  [/Strahlensuche|Beam-Suche/i, 'Beam Search'],
  [/\bgierig/i, 'greedy'],
  [/(Selbst|Kreuz)aufmerksamkeit|Aufmerksamkeits(gewicht|karte)/i, 'Attention'],
  [
    /(?<=\b(die|der|maskierte|kausale) )Aufmerksamkeit (allein|selbst|ist|kennt|sieht)\b/i,
    'Attention',
  ],
  [/Aufwärm/i, 'Warm-up'],
  [/Label-Glättung/i, 'Label-Smoothing'],
  [/\bResidu(um|en)/i, 'Residualverbindung, Residualsumme'],
  [/\bNormen\b|Schichtnorm|Layer-Norm(?!alis)/, 'Layer-Normalisierung'],
  [/\bText druckt\b/, 'im Text steht'],
  [/\bPositions(kodierung|encoding)/i, 'Positionscode'],
  [/Multiplikationen mit Addition/, 'MAC-Operationen'],
];

/** Words in the longest sentence. */
export const longest = 32;

/** The word before the number of a section. */
export const section = 'Abschnitt';

/** Words of the page that are spelt as in English. */
export const alike = [
  '{n} min',
  'Query',
  'Key',
  'Value',
  'Attention',
  'Queries',
  'Keys',
  'Values',
  'greedy',
  'Dropout',
  'Transformer',
  'Training',
  'Text',
  'Batch',
  'Embeddings',
  'Scores',
  'Gate',
  'Tokens',
  'linear',
  'LSTM',
];
