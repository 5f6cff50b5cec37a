/** Invented books: the same book for the same number, on every machine. */

import { randomNumbers } from '../../server/testing/random-numbers.ts';

type InventedBook = { title: string; author: string; image: string; priceCents: number };

/** The measured searches. Each but the last has matches among the first hundred books and among a million. */
export const searches = {
  common: 'river',
  /** A word in the titles of every 50,000th book only, the first one included. */
  rare: 'xylographer',
  twoWords: 'winter garden',
  twoLetters: 'sa',
  noMatch: 'zzyzx quux',
} as const;

type Language = { titles: readonly Title[]; firstNames: readonly string[]; lastNames: readonly string[] };
type Title = (pick: Pick) => string;
type Pick = (words: readonly string[]) => string;

const list = (words: string) => words.trim().split(/\s*,\s*/);

const adjectives = list(`
  Silent, Winter, Golden, Broken, Distant, Hollow, Crimson, Patient, Salt, Quiet, Forgotten, Burning, Narrow, Northern,
  Borrowed, Invisible, Second, Unfinished, Paper, Iron, Gentle, Restless, Vanishing, Ordinary, Bitter, Amber, Folded,
  Wild, Secret, Last, Blue, Wandering, Drowned, Early, Long, Uncertain, Little, Sleeping, Honest, Glass, Copper, Lost
`);
const nouns = list(`
  River, Garden, House, Orchard, Letter, Lantern, Harbour, Mountain, Clockmaker, Map, Library, Season, Daughter, Tide,
  Bridge, Cartographer, Sparrow, Machine, Mirror, Station, Archive, Kitchen, Voyage, Shore, Piano, Compass, Winter,
  Island, Tower, Notebook, Forest, Hour, Gate, Weaver, Storm, Market, Meadow, Alphabet, Ferry, Beekeeper, Window, Road
`);
const places = list(`
  Lisbon, Aleppo, Kraków, Reykjavík, the Hebrides, Valparaíso, Odessa, Trieste, Kyoto, Zanzibar, Tromsø, Samarkand,
  the Azores, Cádiz, Tbilisi, Saint-Malo, Montréal, the Orkneys, Málaga, Göteborg, Bukhara, Sarajevo, Oaxaca, Tartu
`);
const subjects = list(`
  Bread, Typography, Moss, Bookbinding, Tidal Mills, Beekeeping, Mathematics, Lighthouses, Grammar, Clouds, Ceramics,
  Ink, Sleep, Railways, Chess, Migration, Weather, Printing, Whales, Silence, Navigation, Salt, Gardens, Memory
`);
const longEnds = list(`
  with a Preface by the Translator and Forty-Two Engravings, in Three Parts with Notes for the Curious Reader,
  Revised and Enlarged from the Author's Own Papers and Those of Her Sister,
  Being an Account of Several Journeys Undertaken between Two Wars by Land and by Water,
  Collected Essays on What Was Kept and What Was Thrown Away and on Who Decided Which Was Which
`);

const english: Language = {
  titles: [
    (pick) => `The ${pick(adjectives)} ${pick(nouns)}: ${pick(subjects)} and ${pick(subjects)}`,
    (pick) => `The ${pick(nouns)} of ${pick(places)} and the ${pick(nouns)} of ${pick(places)}`,
    (pick) => `The ${pick(adjectives)} ${pick(nouns)} of ${pick(places)}`,
    (pick) => `A ${pick(nouns)} in ${pick(places)}, a ${pick(nouns)} in ${pick(places)}`,
    (pick) => `${pick(adjectives)} ${pick(nouns)}s and ${pick(adjectives)} ${pick(nouns)}s`,
    (pick) => `The ${pick(nouns)} and the ${pick(adjectives)} ${pick(nouns)}`,
    (pick) => `A Short History of ${pick(subjects)} from ${pick(places)} to ${pick(places)}`,
    (pick) => `${pick(subjects)} and ${pick(subjects)}: the ${pick(adjectives)} ${pick(nouns)}`,
    (pick) => `${pick(nouns)}, ${pick(nouns)}, ${pick(nouns)}`,
    (pick) => `The ${pick(nouns)}'s ${pick(nouns)}: ${pick(subjects)} in ${pick(places)}, ${pick(longEnds)}`,
  ],
  firstNames: list(`
    Ada, Miriam, Thomas, Eleanor, Samuel, Grace, Henry, Ruth, Julian, Clara, Edmund, Nora, Walter, Iris, Hugh, Beatrice,
    Martin, Agnes, Oliver, Sylvia, Robert, Esther, Frances, Arthur, Lydia, Simon, Margaret, Ellis, Joan, Patrick
  `),
  lastNames: list(`
    Whitlock, Ashby, Marlowe, Penrose, Sadler, Hartley, Calloway, Thorne, Winslow, Okafor, Fairbairn, Lindqvist, Mercer,
    Adeyemi, Blackwood, O'Hara, Pemberton, Quill, Ravenscroft, Sayers, Tennant, Underhill, Vance, Wetherby, Yates, Rao
  `),
};

const otherLanguages: readonly Language[] = [
  {
    titles: [
      (pick) =>
        `${pick(list('L’été, La forêt, Le fleuve, L’hôtel, La fenêtre, Le château'))} ${pick(list('oublié, français, brûlé, léger, étrange'))}`,
      (pick) =>
        `Une leçon de ${pick(list('géographie, mémoire, ténèbres, piano, médecine, français'))} à ${pick(places)}`,
    ],
    firstNames: list('Hélène, François, Gérard, Zoé, Étienne, Noëlle, Benoît, Anaïs'),
    lastNames: list('Lefèvre, Béranger, Saint-Exupère, Dupré, Castañer, Desrosiers, Crèvecœur'),
  },
  {
    titles: [
      (pick) =>
        `${pick(list('Der Fluß, Die Brücke, Das Gedächtnis, Der Bücherdieb, Die Straße'))} ${pick(list('der Vögel, ohne Schlüssel, im Süden, der Möwen, über Nacht'))}`,
      (pick) =>
        `Über ${pick(list('Wälder, Größe, Träume, Brücken, Stille'))} und ${pick(list('Schönheit, Gemüse, Käse, Mathematik'))}`,
    ],
    firstNames: list('Jürgen, Käthe, Günter, Björn, Sören, Ursula, Heiðrún'),
    lastNames: list('Müller, Groß, Schäfer, Løvstad, Ångström, Þórsdóttir, Brüggemann'),
  },
  {
    titles: [
      (pick) =>
        `${pick(list('Żółta łódź, Księga źródeł, Cień nad Łodzią, Dzień świętego Józefa'))} ${pick(list('i inne opowiadania, albo podróż, w trzech częściach'))}`,
      (pick) =>
        `${pick(list('El corazón, La señal, El jardín, La canción'))} de ${pick(list('los años, la montaña, un niño, Andalucía'))}`,
    ],
    firstNames: list('Łucja, Wisława, Stanisław, José, Íñigo, Małgorzata, Sofía'),
    lastNames: list('Żeromska, Wójcik, Kowalczyk, Núñez, Muñoz, Ibáñez, Gałczyński'),
  },
  {
    titles: [
      (pick) =>
        `${pick(list('Тихая река, Зимний сад, Дом у моря, Последнее письмо'))} ${pick(list('и другие рассказы, в Одессе, без имени'))}`,
      (pick) =>
        `${pick(list('Η θάλασσα, Το σπίτι, Ο κήπος'))} ${pick(list('του χειμώνα, της μνήμης, των πουλιών'))}`,
    ],
    firstNames: list('Анна, Михаил, Ольга, Ελένη, Νίκος'),
    lastNames: list('Ахматова, Воронцов, Ильина, Παπαδοπούλου, Σεφέρης'),
  },
  {
    titles: [
      (pick) => `${pick(list('雪の, 静かな, 忘れられた, 冬の'))}${pick(list('図書館, 庭, 手紙, 川'))}`,
      (pick) => `${pick(list('红色的, 遥远的, 最后的'))}${pick(list('花园, 桥, 钟表匠'))}`,
    ],
    firstNames: list('花子, 健二, 美咲, 文'),
    lastNames: list('山田, 川端, 李, 王'),
  },
];

/**
 * @returns the book with this number. One book in five is not in English, and one in ten of the English ones has a long title. A few books
 * share a title, as in any catalogue.
 */
export function inventBook(number: number): InventedBook {
  const random = randomNumbers(number * 7_919 + 17);
  const pick: Pick = (words) => words[Math.floor(random() * words.length)] ?? '';
  const choose = <Item>(items: readonly Item[], fallback: Item): Item =>
    items[Math.floor(random() * items.length)] ?? fallback;

  const language = random() < 0.8 ? english : choose(otherLanguages, english);
  const title = choose<Title>(language.titles, () => '')(pick);
  const author = `${pick(language.firstNames)} ${pick(language.lastNames)}`;
  const volume = language === english ? '' : ` ${1 + Math.floor(random() * 400)}`;
  return {
    title: titleOf(number, title + volume),
    author: random() < 0.05 ? `${author} and ${pick(english.firstNames)} ${pick(english.lastNames)}` : author,
    image: `https://covers.example/${number}.jpg`,
    priceCents: isLast(number) ? 9_999 : 399 + 100 * Math.floor(random() * 36) + (random() < 0.3 ? 51 : 0),
  };
}

/**
 * One book in forty is at the end of the orders by title and by price. A search for {@link lastWord} in these orders has
 * all its matches there, the worst case of a query that reads a catalogue in the requested order.
 */
const isLast = (number: number) => number % 40 === 3;
/** The first word in the titles of these books: no other book has it. */
export const lastWord = 'zymurgy';

function titleOf(number: number, title: string): string {
  if (isLast(number)) return `Zymurgy: ${title}`;
  if (number % 50_000 === 0) return `The Xylographer: ${title}`;
  // The search for two words has a match among the first hundred books, and regularly among more.
  return number % 97 === 1 ? `${title}, or the Winter Garden` : title;
}
