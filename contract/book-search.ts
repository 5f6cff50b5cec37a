/** A search for books: in an address, its limits, and the headers of its list. This file has no schemas, because the browser loads it. */

export const maxQueryLength = 200;
/** A slug is the name of an author or a series in an address. */
export const maxSlugLength = 200;
export const slugPattern = `^[a-z0-9-]{1,${maxSlugLength}}$`;

/** The orders in which `GET /books` can sort. Without one it is `best` for a search, and otherwise `newest`. */
export const sortOrders = ['best', 'newest', 'title', 'author', 'price', 'price-desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** @returns the order in which the store lists the books that match, when none is chosen. */
export const defaultSort = (q: string): SortOrder => (q ? 'best' : 'newest');

/** @returns the possible orders of a list with this query. Without a query there is no best match. */
export const sortsOf = (q: string): SortOrder[] => sortOrders.filter((sort) => q || sort !== 'best');

const amount = /^\d{1,7}(\.\d\d?)?$/;
const filterForms = { subject: /^\P{Cc}{1,100}$/u, minPrice: amount, maxPrice: amount };

/** The author or the series of a list is in the path of its screen. */
export type BookFilters = Partial<Record<keyof typeof filterForms | 'author' | 'series', string>>;

/** A visitor's search; without words, and with the newest first, it is the plain list. */
export type BookSearch = {
  q: string;
  sort: SortOrder;
  /** When the words find nothing, the store names similar words without searching for them. */
  isAsTyped: boolean;
  filters: BookFilters;
};

/** @returns the search in an address. A query that is too long is cut; an order that the list cannot have is replaced by the default. */
export const searchIn = (parameters: URLSearchParams): BookSearch => {
  const q = (parameters.get('q') ?? '').slice(0, maxQueryLength).trim();
  const sort = sortsOf(q).find((order) => order === parameters.get('sort')) ?? defaultSort(q);
  const isAsTyped = q !== '' && parameters.get('spelling') === 'as-typed';
  // A value that the store would refuse is left out.
  const filters = Object.entries(filterForms).flatMap(([name, form]) => {
    const value = parameters.get(name)?.trim() ?? '';
    return form.test(value) ? [[name, value]] : [];
  });
  return { q, sort, isAsTyped, filters: Object.fromEntries(filters) };
};

/** @returns the parameters of a search, in the address of its screen and of its call. */
export const parametersOf = ({ q, sort, isAsTyped, filters }: BookSearch) => ({
  ...(q && { q }),
  ...(sort !== defaultSort(q) && { sort }),
  ...(isAsTyped && { spelling: 'as-typed' as const }),
  ...filters,
});

/** A header of the list when the words as typed find nothing: the words that find something, percent-encoded. */
export const correctedQueryHeader = 'corrected-query';
/** A header of an empty list: words of the catalogue that are similar to those of the query, percent-encoded, with spaces. */
export const similarWordsHeader = 'similar-words';
/** A header of a list with few books: similar queries that find more, as in `dostoyevsky;6, moby%20dick;200+`. */
export const alsoFoundHeader = 'also-found';

/** A header of the list of an author or a series: the name, percent-encoded. */
export const listNameHeader = 'list-name';

/** The headers of a list that pages of other origins may read. */
export const searchHeaders = [correctedQueryHeader, similarWordsHeader, alsoFoundHeader, listNameHeader];

export type FoundQuery = { q: string; books: number; hasMore: boolean };

export const writeAlsoFound = (queries: readonly FoundQuery[]): string =>
  queries.map(({ q, books, hasMore }) => `${encodeURIComponent(q)};${books}${hasMore ? '+' : ''}`).join(', ');

export const readAlsoFound = (header: string | null): { q: string; books: string }[] =>
  header
    ? header.split(', ').map((item) => {
        const [q = '', books = ''] = item.split(';');
        return { q: decodeURIComponent(q), books };
      })
    : [];
