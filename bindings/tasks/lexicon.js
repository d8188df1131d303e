// The words of the French-English grammar, as tables: one line per entry, columns two spaces apart.
//
//   x/y   x, but y where the next word begins with a vowel sound: le/l', beau/bel, a/an
//   *h    an aspirated h, which counts as a consonant; any other French h is silent
//   -     no such form

/** @param {string} text
 * @returns {string[][]} */
const table = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));

/** A cell as a list of words.
 * @param {string} [cell] */
const words = (cell = '-') => (cell === '-' ? [] : cell.split(' '));

/** @typedef {'m' | 'f'} Gender */
/** @typedef {0 | 1} Count singular, plural: an index into forms */
/** @typedef {0 | 1 | 2 | 3 | 4 | 5} Person je, tu, il, nous, vous, ils: an index into forms */

/**
 * @typedef {object} Noun
 * @property {string} name its French singular: other tables refer to it
 * @property {string[]} french by count
 * @property {string[]} english by count
 * @property {Gender} gender
 * @property {string[]} kinds 'mine' if "my" may stand before it: "ma fille" would be a daughter, not a girl
 * @property {string[]} adjectives those that suit it, by their English names
 */

/** @type {Noun[]} */
export const nouns = table(`
  fille       filles      f  girl     girls     human                  little tall young happy sad tired
  garçon      garçons     m  boy      boys      human                  little tall young happy sad tired
  femme       femmes      f  woman    women     human                  tall young old happy tired
  homme       hommes      m  man      men       human                  tall young old sad tired
  enfant      enfants     m  child    children  human mine             little beautiful happy sad tired
  professeur  professeurs  m  teacher  teachers  human mine profession  good young old happy
  étudiant    étudiants   m  student  students  human mine profession  good young tired
  étudiante   étudiantes  f  student  students  human mine profession  good young tired
  chat        chats       m  cat      cats      animal mine            little beautiful black white
  chien       chiens      m  dog      dogs      animal mine            big black white
  cheval      chevaux     m  horse    horses    animal mine            big beautiful black white
  oiseau      oiseaux     m  bird     birds     animal mine            little beautiful black blue
  souris      souris      f  mouse    mice      animal mine            little white grey
  *hibou      *hiboux     m  owl      owls      animal                 big old grey
  pomme       pommes      f  apple    apples    thing mine             good red
  orange      oranges     f  orange   oranges   thing mine             good
  pain        -           m  bread    -         thing mine             good white
  fromage     -           m  cheese   -         thing mine             good white
  soupe       -           f  soup     -         thing mine             good
  lait        -           m  milk     -         thing                  good
  eau         -           f  water    -         thing                  good
  livre       livres      m  book     books     thing mine             good old red
  fleur       fleurs      f  flower   flowers   thing                  beautiful little red white blue
  voiture     voitures    f  car      cars      mine                   big old red black
  arbre       arbres      m  tree     trees     -                      tall old beautiful
  table       tables      f  table    tables    mine                   big white black
  maison      maisons     f  house    houses    mine                   big old beautiful white
  école       écoles      f  school   schools   mine                   big good old
  jardin      jardins     m  garden   gardens   mine                   big beautiful
`).map(([name, plural, gender, english, englishPlural, kinds, adjectives]) => ({
  name: name.replace('*', ''),
  french: [name, plural],
  english: [english, englishPlural],
  gender: /** @type {Gender} */ (gender),
  kinds: words(kinds),
  adjectives: words(adjectives),
}));

/**
 * @typedef {object} Adjective
 * @property {string} english before a noun
 * @property {string} predicate after a verb: "little" cannot stand there
 * @property {Record<Gender, string[]>} french by gender and count
 * @property {string} place where it stands in French; colours stand after the noun
 */

/** By English name, since French has fewer: "grand" is big of a house, but tall of a man.
 * @type {Record<string, Adjective>} */
export const adjectives = Object.fromEntries(
  table(`
    little     petit        petits    petite    petites    before  small
    big        grand        grands    grande    grandes    before
    tall       grand        grands    grande    grandes    before
    young      jeune        jeunes    jeune     jeunes     before
    old        vieux/vieil  vieux     vieille   vieilles   before
    beautiful  beau/bel     beaux     belle     belles     before
    good       bon          bons      bonne     bonnes     before
    happy      heureux      heureux   heureuse  heureuses  after
    sad        triste       tristes   triste    tristes    after
    tired      fatigué      fatigués  fatiguée  fatiguées  after
    black      noir         noirs     noire     noires     colour
    white      blanc        blancs    blanche   blanches   colour
    red        rouge        rouges    rouge     rouges     colour
    blue       bleu         bleus     bleue     bleues     colour
    grey       gris         gris      grise     grises     colour
  `).map(([english, m, mPlural, f, fPlural, place, predicate = english]) => [
    english,
    { english, predicate, french: { m: [m, mPlural], f: [f, fPlural] }, place },
  ]),
);

/**
 * @typedef {object} Determiner
 * @property {Record<Gender, string[]>} french by gender and count
 * @property {string[]} english by count
 */

/** @type {Determiner[]} */
export const [the, some, partitive, my, these, two] = table(`
  le/l'   la/l'     les   the   the
  un      une       des   a/an  some
  du      de la/l'  -     some  -
  mon     ma/mon    mes   my    my
  ce/cet  cette     ces   this  these
  -       -         deux  -     two
`).map(([m, f, plural, english, englishPlural]) => ({
  french: { m: [m, plural], f: [f, plural] },
  english: [english, englishPlural],
}));

/**
 * @typedef {object} Pronoun
 * @property {string} french
 * @property {string} english
 * @property {Person} person
 * @property {Count} count
 * @property {Gender[]} genders
 */

/** @type {Pronoun[]} */
export const pronouns = table(`
  je/j'  I     0  m f
  tu     you   1  m f
  il     he    2  m
  elle   she   2  f
  nous   we    3  m f
  vous   you   4  m f
  ils    they  5  m
  elles  they  5  f
`).map(([french, english, person, genders]) => ({
  french,
  english,
  person: /** @type {Person} */ (Number(person)),
  count: Number(person) < 3 ? 0 : 1,
  genders: /** @type {Gender[]} */ (words(genders)),
}));

/**
 * @typedef {object} Verb
 * @property {string} name its English infinitive
 * @property {string[]} french by person
 * @property {string[]} english by person
 */

/** @type {Record<string, Verb>} */
export const verbs = Object.fromEntries(
  table(`
    be         suis es est sommes êtes sont                                       am are is are are are
    have       ai as a avons avez ont                                             has
    sleep      dors dors dort dormons dormez dorment                              sleeps
    play       joue joues joue jouons jouez jouent                                plays
    sing       chante chantes chante chantons chantez chantent                    sings
    eat        mange manges mange mangeons mangez mangent                         eats
    drink      bois bois boit buvons buvez boivent                                drinks
    like       aime aimes aime aimons aimez aiment                                likes
    look at    regarde regardes regarde regardons regardez regardent              looks at
    listen to  écoute écoutes écoute écoutons écoutez écoutent                    listens to
    read       lis lis lit lisons lisez lisent                                    reads
    work       travaille travailles travaille travaillons travaillez travaillent  works
  `).map(([name, french, english]) => {
    const own = name === 'be' ? words(english) : [name, name, english, name, name, name];
    return [name, { name, french: words(french), english: own }];
  }),
);

/** Who does what: kinds and names of nouns. Pronouns stand for humans.
 * @type {{ verb: Verb, subjects: string[] }[]} */
export const actions = table(`
  sleep  human animal
  play   human chat chien souris
  sing   human oiseau
  work   human cheval
`).map(([verb, subjects]) => ({ verb: verbs[verb], subjects: words(subjects) }));

/**
 * @typedef {object} Frame who does what to whom
 * @property {Verb} verb
 * @property {string[]} subjects kinds and names of nouns
 * @property {string[]} takes its objects: 'definite' (the cat), 'indefinite' (a cat, some cats),
 * 'described' (the same with adjectives), 'general' (cats)
 * @property {string[]} objects names of nouns
 */

/** Pronouns do all of it.
 * @type {Frame[]} */
export const frames = table(`
  have       -              indefinite described           chat chien cheval livre fleur voiture maison
  eat        human souris   definite indefinite described  pomme orange pain fromage soupe
  drink      human chat     definite indefinite            lait eau
  like       human          general                        chat cheval pomme fromage fleur livre
  look at    human chat     definite indefinite described  chat oiseau hibou arbre
  listen to  human          definite                       professeur enfant oiseau
  read       human          definite indefinite            livre
`).map(([verb, subjects, takes, objects]) => ({
  verb: verbs[verb],
  subjects: words(subjects),
  takes: words(takes),
  objects: words(objects),
}));

/**
 * @typedef {object} Place
 * @property {string} french a preposition
 * @property {string} english
 * @property {string} noun the name of the noun that follows it
 * @property {string[]} does names of verbs
 * @property {string[]} subjects kinds and names of nouns
 */

/** @type {Place[]} */
export const places = table(`
  dans    in           jardin      be sleep play sing work  human animal
  dans    in           maison      be sleep play            human chat chien souris
  dans    in           école       be play sing work        human chat souris
  sous    under        arbre       be sleep play            human animal
  sous    under        table       be sleep play            enfant chat chien souris
  sur     on           table       be sleep                 chat souris oiseau thing
  devant  in front of  maison      be play sing             human chat chien cheval oiseau voiture
  devant  in front of  école       be play                  human chien voiture
  avec    with         professeur  be sing work             human
  avec    with         enfant      be play                  human chat chien
`).map(([french, english, noun, does, subjects]) => ({
  french,
  english,
  noun,
  does: words(does),
  subjects: words(subjects),
}));
