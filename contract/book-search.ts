/** The contract of a search, without the schemas: these are not for the browser. */

/** In characters: what a visitor may search for. */
export const maxQueryLength = 200;

/** A header of the list when the words as typed find nothing: the words that find something, percent-encoded. */
export const correctedQueryHeader = 'corrected-query';
/** A header of an empty list: words of the catalogue that are similar to those of the query, percent-encoded, with spaces. */
export const similarWordsHeader = 'similar-words';
