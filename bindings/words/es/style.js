// How Spanish is written here, for the tests.

/** What is not said, and what is said instead. @type {[RegExp, string][]} */
export const terms = [
  [/^[^¿]*\p{L}[”"…]?\?/u, '¿ before a question'],
  [/\p{L}!/u, 'no exclamation mark'],
  [/["'’]\p{L}{3,}[^"':]* /u, '“ ”'],
  [
    /(^|[.:;?] )(Abra|Arrastre|Busque|Calcule|Compare|Elija|Escriba|Haga|Mire|Multiplique|Pruebe|Pulse|Reste|Sume)\b/,
    'tú',
  ],
  [/\b(usted(es)?|vosotros|vos)\b/i, 'tú'],
  [/(?<!en inglés, )\b(embeddings?|quer(y|ies)|keys?|values?)\b(?!\.md)/i, 'the Spanish term'],
  [/\b(el|la|los|las|un|una|cada) scor(e|es)\b/i, 'puntuación'],
  [/\bproductos? (punto|internos?|interior(es)?)\b/i, 'producto escalar'],
  [/\b(el|del|al|la) softmax\b/i, 'softmax'],
  [/\bresiduos?\b/i, 'conexión residual, suma residual'],
  [/\bcodificaci(ón|ones) (de posición|posicional(es)?)\b/i, 'código de posición'],
  [/\btra(n)?spos(ed|ición)|transpuest/i, 'traspuesta'],
  [/\bcostes?\b/i, 'costo'],
  [/\b(greedy|codicios[oa]s?|glotón)\b/i, 'voraz'],
  [/\bbatch(es)?\b/i, 'lote'],
  [/\boraci(ón|ones)\b/i, 'frase'],
  [/\btexto (imprime|muestra)\b/i, 'el texto da'],
  [/\d %/, 'a space that does not break'],
];

/** Words in the longest sentence. */
export const longest = 38;

/** The word before the number of a section. */
export const section = 'sección';

/** Words of the page that are spelt as in English. */
export const alike = [
  '{n} min',
  ' (error {error})',
  'Checkpoint…',
  'Chat',
  'Transformer',
  'token',
  'tokens',
  'Tokens',
  'softmax',
  'feed-forward',
  'unembedding',
  'LSTM',
  'dropout',
  'Dropout',
  'logit',
  'top k',
  'total',
  'factor',
  'vector',
  'bits',
  'Markdown',
  'Enter',
  'Escape',
  'Tab, Enter',
  'Ctrl Enter',
  'Ctrl V',
];
