// The words of the French-English grammar, as tables: one line per entry, columns two spaces apart.
//
//  x/y  x, but y where the next word begins with a vowel sound: le/l', beau/bel, a/an
//  -  no such form

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
/** @typedef {'human' | 'animal' | 'food' | 'thing' | 'tall'} Group what adjectives tell apart */
/** @typedef {'plain' | 'mass' | 'free' | 'owned'} Sort what determiners tell apart: mass nouns are not counted;
 * owned ones have a possessive, free ones have none */

/** Words whose h is aspirated: it counts as a consonant. Every other h is silent. */
export const ASPIRATED = ['hibou', 'hiboux'];

/**
 * @typedef {object} Noun
 * @property {string[]} french by count
 * @property {string[]} english by count
 * @property {Gender} gender
 * @property {Group} group
 * @property {Sort} sort
 * @property {string[]} kinds what verbs and prepositions ask for
 */

/** With a possessive some nouns are others: "ma fille" is my daughter, not my girl.
 * @type {readonly Noun[]} */
export const nouns = table(`
  fille  filles  f  girl  girls  human  free
  fille  filles  f  daughter  daughters  human  owned
  garçon  garçons  m  boy  boys  human  free
  femme  femmes  f  woman  women  human  free
  femme  femmes  f  wife  wives  human  owned
  homme  hommes  m  man  men  human  free
  enfant  enfants  m  child  children  human  plain
  bébé  bébés  m  baby  babies  human  plain
  mère  mères  f  mother  mothers  human  plain
  père  pères  m  father  fathers  human  plain
  sœur  sœurs  f  sister  sisters  human  plain
  frère  frères  m  brother  brothers  human  plain
  ami  amis  m  friend  friends  human  plain
  amie  amies  f  friend  friends  human  plain
  voisin  voisins  m  neighbour  neighbours  human  plain
  voisine  voisines  f  neighbour  neighbours  human  plain
  roi  rois  m  king  kings  human  plain
  reine  reines  f  queen  queens  human  plain
  professeur  professeurs  m  teacher  teachers  human  plain  profession
  étudiant  étudiants  m  student  students  human  plain  profession
  étudiante  étudiantes  f  student  students  human  plain  profession
  médecin  médecins  m  doctor  doctors  human  plain  profession
  boulanger  boulangers  m  baker  bakers  human  plain  profession
  boulangère  boulangères  f  baker  bakers  human  plain  profession
  chanteur  chanteurs  m  singer  singers  human  plain  profession
  chanteuse  chanteuses  f  singer  singers  human  plain  profession
  chat  chats  m  cat  cats  animal  plain
  chien  chiens  m  dog  dogs  animal  plain
  cheval  chevaux  m  horse  horses  animal  plain
  oiseau  oiseaux  m  bird  birds  animal  plain
  souris  souris  f  mouse  mice  animal  plain
  hibou  hiboux  m  owl  owls  animal  plain
  vache  vaches  f  cow  cows  animal  plain
  lapin  lapins  m  rabbit  rabbits  animal  plain
  poisson  poissons  m  fish  fish  animal  plain  edible
  poule  poules  f  hen  hens  animal  plain
  éléphant  éléphants  m  elephant  elephants  animal  plain
  lion  lions  m  lion  lions  animal  plain
  singe  singes  m  monkey  monkeys  animal  plain
  tortue  tortues  f  turtle  turtles  animal  plain
  loup  loups  m  wolf  wolves  animal  plain
  pomme  pommes  f  apple  apples  food  plain  edible
  orange  oranges  f  orange  oranges  food  plain  edible
  banane  bananes  f  banana  bananas  food  plain  edible
  poire  poires  f  pear  pears  food  plain  edible
  fraise  fraises  f  strawberry  strawberries  food  plain  edible
  tomate  tomates  f  tomato  tomatoes  food  plain  edible
  carotte  carottes  f  carrot  carrots  food  plain  edible
  œuf  œufs  m  egg  eggs  food  plain  edible
  gâteau  gâteaux  m  cake  cakes  food  plain  edible
  pain  -  m  bread  -  food  mass  edible
  fromage  -  m  cheese  -  food  mass  edible
  riz  -  m  rice  -  food  mass  edible
  chocolat  -  m  chocolate  -  food  mass  edible
  viande  -  f  meat  -  food  mass  edible
  soupe  -  f  soup  -  food  mass  edible
  eau  -  f  water  -  food  mass  drinkable
  lait  -  m  milk  -  food  mass  drinkable
  café  -  m  coffee  -  food  mass  drinkable
  thé  -  m  tea  -  food  mass  drinkable
  vin  -  m  wine  -  food  mass  drinkable
  bière  -  f  beer  -  food  mass  drinkable
  livre  livres  m  book  books  thing  plain  text
  journal  journaux  m  newspaper  newspapers  thing  plain  text
  lettre  lettres  f  letter  letters  thing  plain  text
  photo  photos  f  photo  photos  thing  plain
  fleur  fleurs  f  flower  flowers  thing  plain
  clé  clés  f  key  keys  thing  plain
  sac  sacs  m  bag  bags  thing  plain  opens inside
  boîte  boîtes  f  box  boxes  thing  plain  opens inside top
  bouteille  bouteilles  f  bottle  bottles  thing  plain  opens
  tasse  tasses  f  cup  cups  thing  plain
  lampe  lampes  f  lamp  lamps  thing  plain
  téléphone  téléphones  m  phone  phones  thing  plain
  ordinateur  ordinateurs  m  computer  computers  thing  plain
  ballon  ballons  m  ball  balls  thing  plain
  robe  robes  f  dress  dresses  thing  plain  clothes
  chemise  chemises  f  shirt  shirts  thing  plain  clothes
  jupe  jupes  f  skirt  skirts  thing  plain  clothes
  chapeau  chapeaux  m  hat  hats  thing  plain  clothes
  manteau  manteaux  m  coat  coats  thing  plain  clothes
  chaussure  chaussures  f  shoe  shoes  thing  plain  clothes
  table  tables  f  table  tables  thing  plain  top
  chaise  chaises  f  chair  chairs  thing  plain  top
  lit  lits  m  bed  beds  thing  plain  top
  porte  portes  f  door  doors  thing  plain  opens
  fenêtre  fenêtres  f  window  windows  thing  plain  opens
  voiture  voitures  f  car  cars  thing  plain  drives inside top
  camion  camions  m  truck  trucks  thing  plain  drives inside
  train  trains  m  train  trains  thing  plain  inside
  bateau  bateaux  m  boat  boats  thing  plain  inside
  vélo  vélos  m  bike  bikes  thing  plain
  maison  maisons  f  house  houses  thing  plain  place inside
  école  écoles  f  school  schools  thing  plain  place inside
  jardin  jardins  m  garden  gardens  thing  plain  place inside
  parc  parcs  m  park  parks  thing  plain  place inside
  rue  rues  f  street  streets  thing  plain  place inside
  ville  villes  f  city  cities  thing  plain  place inside
  village  villages  m  village  villages  thing  plain  place inside
  cuisine  cuisines  f  kitchen  kitchens  thing  plain  place inside
  chambre  chambres  f  bedroom  bedrooms  thing  plain  place inside
  hôtel  hôtels  m  hotel  hotels  thing  plain  place inside
  magasin  magasins  m  shop  shops  thing  plain  place inside
  gare  gares  f  station  stations  thing  plain  place inside
  hôpital  hôpitaux  m  hospital  hospitals  thing  plain  place inside
  forêt  forêts  f  forest  forests  thing  plain  place inside
  plage  plages  f  beach  beaches  thing  plain  place top
  arbre  arbres  m  tree  trees  tall  plain  place top
`).map(([singular, plural, gender, english, englishPlural, group, sort, kinds]) => ({
  french: [singular, plural],
  english: [english, englishPlural],
  gender: /** @type {Gender} */ (gender),
  group: /** @type {Group} */ (group),
  sort: /** @type {Sort} */ (sort),
  kinds: words(kinds),
}));

/**
 * @typedef {object} Adjective
 * @property {string} english before a noun
 * @property {string} predicate after a verb: "little" cannot stand there
 * @property {Record<Gender, string[]>} french by gender and count
 * @property {'before' | 'after'} place where it stands in French
 * @property {Group[]} groups the nouns that it suits
 */

/** "Grand" is big of a house, but tall of a man.
 * @type {readonly Adjective[]} */
export const adjectives = table(`
  little  petit  petits  petite  petites  before  human animal food thing tall  small
  big  grand  grands  grande  grandes  before  animal food thing
  tall  grand  grands  grande  grandes  before  human tall
  young  jeune  jeunes  jeune  jeunes  before  human animal
  old  vieux/vieil  vieux  vieille  vieilles  before  human animal thing tall
  beautiful  beau/bel  beaux  belle  belles  before  human animal thing tall
  pretty  joli  jolis  jolie  jolies  before  human animal thing
  new  nouveau/nouvel  nouveaux  nouvelle  nouvelles  before  human thing
  good  bon  bons  bonne  bonnes  before  human animal food thing
  bad  mauvais  mauvais  mauvaise  mauvaises  before  human food thing
  happy  heureux  heureux  heureuse  heureuses  after  human animal
  sad  triste  tristes  triste  tristes  after  human animal
  tired  fatigué  fatigués  fatiguée  fatiguées  after  human animal
  sick  malade  malades  malade  malades  after  human animal
  strong  fort  forts  forte  fortes  after  human animal
  clever  intelligent  intelligents  intelligente  intelligentes  after  human animal
  rich  riche  riches  riche  riches  after  human
  dangerous  dangereux  dangereux  dangereuse  dangereuses  after  human animal thing
  slow  lent  lents  lente  lentes  after  human animal thing
  fast  rapide  rapides  rapide  rapides  after  human animal thing
  black  noir  noirs  noire  noires  after  animal food thing
  white  blanc  blancs  blanche  blanches  after  animal food thing
  red  rouge  rouges  rouge  rouges  after  animal food thing tall
  blue  bleu  bleus  bleue  bleues  after  animal thing
  green  vert  verts  verte  vertes  after  animal food thing tall
  yellow  jaune  jaunes  jaune  jaunes  after  animal food thing tall
  grey  gris  gris  grise  grises  after  animal thing
  brown  brun  bruns  brune  brunes  after  animal food thing
  hot  chaud  chauds  chaude  chaudes  after  food thing
  cold  froid  froids  froide  froides  after  food thing
  clean  propre  propres  propre  propres  after  human animal thing
  dirty  sale  sales  sale  sales  after  human animal thing
  expensive  cher  chers  chère  chères  after  food thing
  heavy  lourd  lourds  lourde  lourdes  after  animal thing
`).map(([english, m, mPlural, f, fPlural, place, groups, predicate = english]) => ({
  english,
  predicate,
  french: { m: [m, mPlural], f: [f, fPlural] },
  place: /** @type {Adjective['place']} */ (place),
  groups: /** @type {Group[]} */ (words(groups)),
}));

/**
 * @typedef {object} Determiner
 * @property {Record<Gender, string[]>} french by gender and count
 * @property {string[]} english by count
 * @property {number} weight how often it is drawn
 * @property {Sort[]} sorts the nouns before which it stands
 * @property {boolean} indefinite it becomes "de" behind a negated verb
 */

/** @type {readonly Determiner[]} */
export const determiners = table(`
  le/l'  la/l'  les  the  the  6  plain free mass
  un  une  des  a/an  some  6  plain free  indefinite
  du  de la/l'  -  some  -  6  mass  indefinite
  ce/cet  cette  ces  this  these  2  plain free mass
  mon  ma/mon  mes  my  my  2  plain owned mass
  ton  ta/ton  tes  your  your  1  plain owned mass
  notre  notre  nos  our  our  1  plain owned mass
  votre  votre  vos  your  your  1  plain owned mass
  -  -  deux  -  two  1  plain free
  -  -  trois  -  three  1  plain free
  -  -  quatre  -  four  1  plain free
  -  -  cinq  -  five  1  plain free
  -  -  dix  -  ten  1  plain free
`).map(([m, f, plural, english, englishPlural, weight, sorts, indefinite]) => ({
  french: { m: [m, plural], f: [f, plural] },
  english: [english, englishPlural],
  weight: Number(weight),
  sorts: /** @type {Sort[]} */ (words(sorts)),
  indefinite: indefinite === 'indefinite',
}));

/** @typedef {{ french: string, english: string }} Words the same in both languages */
/** @typedef {Words & { person: Person, count: Count, genders: Gender[] }} Pronoun */

/** "Vous" is one person too, whom one does not say "tu" to.
 * @type {readonly Pronoun[]} */
export const pronouns = table(`
  je/j'  I  0  0  m f
  tu  you  1  0  m f
  il  he  2  0  m
  elle  she  2  0  f
  nous  we  3  1  m f
  vous  you  4  0  m f
  vous  you  4  1  m f
  ils  they  5  1  m
  elles  they  5  1  f
`).map(([french, english, person, count, genders]) => ({
  french,
  english,
  person: /** @type {Person} */ (Number(person)),
  count: /** @type {Count} */ (Number(count)),
  genders: /** @type {Gender[]} */ (words(genders)),
}));

/**
 * @typedef {object} Verb
 * @property {string} name its English infinitive
 * @property {string[]} french by person
 * @property {string[]} english by person
 */

/** @type {Readonly<Record<string, Verb>>} */
export const verbs = Object.fromEntries(
  table(`
    be  suis es est sommes êtes sont  am are is are are are
    have  ai as a avons avez ont  has
    sleep  dors dors dort dormons dormez dorment  sleeps
    play  joue joues joue jouons jouez jouent  plays
    sing  chante chantes chante chantons chantez chantent  sings
    dance  danse danses danse dansons dansez dansent  dances
    work  travaille travailles travaille travaillons travaillez travaillent  works
    walk  marche marches marche marchons marchez marchent  walks
    run  cours cours court courons courez courent  runs
    cry  pleure pleures pleure pleurons pleurez pleurent  cries
    live  habite habites habite habitons habitez habitent  lives
    eat  mange manges mange mangeons mangez mangent  eats
    drink  bois bois boit buvons buvez boivent  drinks
    read  lis lis lit lisons lisez lisent  reads
    write  écris écris écrit écrivons écrivez écrivent  writes
    like  aime aimes aime aimons aimez aiment  likes
    hate  déteste détestes déteste détestons détestez détestent  hates
    see  vois vois voit voyons voyez voient  sees
    look at  regarde regardes regarde regardons regardez regardent  looks at
    look for  cherche cherches cherche cherchons cherchez cherchent  looks for
    find  trouve trouves trouve trouvons trouvez trouvent  finds
    take  prends prends prend prenons prenez prennent  takes
    want  veux veux veut voulons voulez veulent  wants
    buy  achète achètes achète achetons achetez achètent  buys
    draw  dessine dessines dessine dessinons dessinez dessinent  draws
    wash  lave laves lave lavons lavez lavent  washes
    listen to  écoute écoutes écoute écoutons écoutez écoutent  listens to
    wait for  attends attends attend attendons attendez attendent  waits for
    help  aide aides aide aidons aidez aident  helps
    wear  porte portes porte portons portez portent  wears
    open  ouvre ouvres ouvre ouvrons ouvrez ouvrent  opens
    close  ferme fermes ferme fermons fermez ferment  closes
    drive  conduis conduis conduit conduisons conduisez conduisent  drives
  `).map(([name, french, english]) => {
    const forms = name === 'be' ? words(english) : [name, name, english, name, name, name];
    return [name, { name, french: words(french), english: forms }];
  }),
);

/** What one has in French, and is in English.
 * @type {readonly Words[]} */
export const states = table(`
  faim  hungry
  soif  thirsty
  froid  cold
  chaud  hot
  peur  afraid
  sommeil  sleepy
`).map(([french, english]) => ({ french, english }));

/** @typedef {{ verbs: Verb[], objects: string[], general: boolean }} Frame verbs that take the same objects:
 * groups and kinds of nouns. General: "les chats" are cats, not the cats */

/** Verbs between commas, since some have two words.
 * @param {string} cell */
const verbsOf = (cell) => cell.split(', ').map((name) => verbs[name]);

/** What people and animals do, alone.
 * @type {readonly Verb[]} */
export const actions = verbsOf('sleep, play, sing, dance, work, walk, run, cry, eat, read');

/** @type {readonly Frame[]} */
export const frames = table(`
  have, see, look at, look for, find, take, want, buy, draw, wash  human animal food thing tall
  like, hate  human animal food thing tall  general
  listen to, wait for, help  human animal
  eat  edible
  drink  drinkable
  read, write  text
  wear  clothes
  open, close  opens
  drive  drives
`).map(([names, objects, general]) => ({
  verbs: verbsOf(names),
  objects: words(objects),
  general: general === 'general',
}));

/** @typedef {{ prepositions: Words[], nouns: string[] }} Place prepositions that stand before the same nouns:
 * groups and kinds */

/** @type {readonly Place[]} */
export const places = table(`
  dans: in  inside
  sur: on, sous: under  top
  devant: in front of, derrière: behind  place thing tall human animal
  avec: with  human animal
`).map(([prepositions, kinds]) => ({
  prepositions: prepositions.split(', ').map((pair) => {
    const [french, english] = pair.split(': ');
    return { french, english };
  }),
  nouns: words(kinds),
}));
