/** The report of a comparison, and its targets. */

import type { Figures } from './figures.ts';
import type { Kind } from './known-items.ts';

/** The figures of one engine for one kind of query. */
export type Measured = { engine: string; configuration: string; figures: Figures };

/** A kind of query. */
export type Row = {
  kind: Kind;
  /** How many queries; fewer than requested when the books have no more. */
  queries: number;
  store: Figures;
  /** In all configurations. */
  others: readonly Measured[];
};

export type Comparison = {
  bookSet: string;
  books: number;
  seed: number;
  /** How many queries of each kind were requested. */
  items: number;
  rows: readonly Row[];
  /** The size of the store's database. */
  engines: readonly string[];
  /** For how many queries the store's engines gave other lists; undefined when one was measured. */
  differences: number | undefined;
  versions: Readonly<Record<string, string>>;
  /** As 2026-11-22. */
  date: string;
};

/** Two figures are compared with those of the others. */
const compared = { atOne: 'at 1', atFive: 'at 5' } as const;
const comparedNames = ['atOne', 'atFive'] as const;

/** Beside those of the others, which themselves find few misspelt authors. */
const minimums: Partial<Record<Kind, Readonly<Record<(typeof comparedNames)[number], number>>>> = {
  'title with one typo': { atOne: 0.9, atFive: 0.93 },
  'author with one typo': { atOne: 0.9, atFive: 0.93 },
  'two words joined': { atOne: 0.9, atFive: 0.93 },
  'title and a wrong word': { atOne: 0.93, atFive: 0.95 },
  'title with two typos': { atOne: 0.9, atFive: 0.93 },
  'a word split in two': { atOne: 0.9, atFive: 0.93 },
};

/** @returns what the store does not reach, each a line; empty when it reaches all. */
export function listMisses({ rows, differences = 0 }: Pick<Comparison, 'rows' | 'differences'>): string[] {
  const misses = rows.flatMap(({ kind, store, others }) =>
    comparedNames.flatMap((name) => {
      const best = others.toSorted((one, other) => other.figures[name] - one.figures[name])[0];
      const minimum = minimums[kind]?.[name] ?? 0;
      const reached = `${kind}, ${compared[name]}: ${round(store[name])}`;
      return [
        ...(best && store[name] < best.figures[name]
          ? [`${reached}, and ${describe(best)} ${round(best.figures[name])}`]
          : []),
        ...(store[name] < minimum ? [`${reached}, and the target is ${round(minimum)}`] : []),
      ];
    }),
  );
  return differences === 0
    ? misses
    : [...misses, `The two databases gave different lists for ${differences} queries`];
}

const describe = ({ engine, configuration }: Measured): string => `${engine} (${configuration})`;

const round = (share: number): string => share.toFixed(3);

const cellOf = ({ atOne, atFive, reciprocalRank }: Figures): string =>
  [atOne, atFive, reciprocalRank].map(round).join(' / ');

/** @returns the better configuration of each engine, by the mean reciprocal rank. */
function bestOfEach(others: readonly Measured[]): Measured[] {
  const best = new Map<string, Measured>();
  for (const measured of others) {
    const known = best.get(measured.engine);
    if (!known || measured.figures.reciprocalRank > known.figures.reciprocalRank) {
      best.set(measured.engine, measured);
    }
  }
  return [...best.values()];
}

/** @returns the report in Markdown. */
export function writeReport(comparison: Comparison): string {
  const { bookSet, books, seed, items, rows, versions, date } = comparison;
  const misses = listMisses(comparison);
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    '# Relevance of search',
    [
      `Written by \`npm run bench:search\` on ${date}. Books: ${bookSet}, ${books}. Seed: ${seed}.`,
      `Queries of each kind: up to ${items}. ${named.join(', ')}.`,
    ].join('\n'),
    'Each cell: the share of queries with a wanted book as the first one / among the first five / the mean reciprocal rank.',
    table(rows),
    misses.length === 0
      ? 'Of each kind the store finds at least as many at 1 and at 5 as any other, in any configuration.'
      : `Below the best of the others, or below the target:\n\n${misses.map((miss) => `- ${miss}`).join('\n')}`,
    describeEngines(comparison),
    '## How this was measured',
    `${method}\n`,
  ].join('\n\n');
}

function table(rows: readonly Row[]): string {
  const names = bestOfEach(rows[0]?.others ?? []).map(({ engine }) => engine);
  return [
    ['Query', 'Number', 'Colophon', ...names],
    ['---', '---:', '---', ...names.map(() => '---')],
    ...rows.map(({ kind, queries, store, others }) => [
      kind,
      String(queries),
      `**${cellOf(store)}**`,
      ...bestOfEach(others).map(({ configuration, figures }) => `${cellOf(figures)}, ${configuration}`),
    ]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function describeEngines({ engines, rows, differences }: Comparison): string {
  const queries = rows.reduce((sum, row) => sum + row.queries, 0);
  if (differences === undefined) return `The store ran on ${engines.join()}.`;
  return differences === 0
    ? `${engines.join(' and ')} gave the same lists for all ${queries} queries.`
    : `${engines.join(' and ')} gave different lists for ${differences} of ${queries} queries; the figures are those of the first.`;
}

const method = `\
A visitor wants a certain book, and types a query that is derived from it. Books are drawn without repetition, by the seed.
Every edition of the wanted book is right: one of the same title, without the series in parentheses, and of the same first
author. For an author with a typo every book of that first author is right. All engines get the same queries.

- exact title: the title without the series.
- half typed: the first two words of the title, the second one cut to half, rounded up.
- surname and a word of the title: the last name of the first author, and any word of four letters or more.
- title with one typo, author with one typo: one word of five letters or more has a missing, superfluous or other letter, or two
  that are swapped. The first letter stays, unless it is swapped with the second.
- words in another order: those of the title, in a random order.
- two words joined: the title without one of its spaces.
- title and a wrong word: the words of the title, and among them one of five letters or more of another title.
- title with two typos: the words of the title, two of them with a typo each.
- a word split in two: the words of the title, one of five letters or more with a space inside, of which each part has two letters or more.
- German, Russian and Japanese titles: 70 well-known ones each, which all engines have besides, as they are typed on another keyboard
  (\`german.tsv\` and so on). The reading of a Chinese character in Japanese depends on the word; a shop gives it as a keyword.

The store is searched by \`findBooks\`, in the order \`best\`, in a database to which \`addBook\` added all books.
The libraries have all books in memory, with the same words, in lower case and without accents. MiniSearch has the fields title
and author, \`prefix\`, and \`fuzzy\` 0.2; it searches for all words, or for any word with titles counting twice. FlexSearch has title
and author in one field, \`tokenize: 'forward'\` and \`suggest\`; it compares letters (\`Charset.Normalize\`) or sounds
(\`Charset.LatinBalance\`). The table has the configuration with the higher mean reciprocal rank; the list of what the store does
not reach compares it with all of them. A list has ten books at most; beyond it a reciprocal rank is 0.`;
