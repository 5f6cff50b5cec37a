import type { TextResponse } from '../http/response-cache.ts';
import { type BookVersion, presentBook } from './books.ts';

/** @returns the response of `GET /book/{id}`. Its ETag changes with each edit, also of keywords, which it does not have. */
export const bookResponse = (book: BookVersion): TextResponse & { version: number } => ({
  text: JSON.stringify(presentBook(book)),
  version: book.version,
});
