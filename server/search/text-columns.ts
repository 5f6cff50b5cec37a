import { authorKeyOf, type SearchedBook, searchTextOf, titleKeyOf } from './search-text.ts';
import { authorSortOf, titleSortOf } from './sort-keys.ts';

/** A book with a lower number in `is_indexed` has texts of an older version: a start updates them (catalogue/index-books.ts). */
export const textsVersion = 3;

export const textColumnsOf = (book: SearchedBook) => ({
  search_text: searchTextOf(book),
  title_key: titleKeyOf(book.title),
  author_key: authorKeyOf(book.author),
  title_sort: titleSortOf(book.title),
  author_sort: authorSortOf(book.author),
  is_indexed: textsVersion,
});
