/** The fields of a book as they are typed. */
import type { BookChanges, NewBook } from '../../contract/book.ts';
import {
  type BookField,
  type BookTexts,
  bookFields,
  byField,
  textOfSent,
} from '../../contract/book-fields.ts';
import type { DeskBook } from '../../contract/desk/books.ts';
import { money } from '../store-config.ts';

/** The fields in the order of a form. Below the image's address stands the field to upload an image. */
export const formFields = bookFields
  .map((field) => (field.kind === 'price' ? { ...field, label: money.named(field.label) } : field))
  .toSorted((one, other) => Number(one.kind === 'image') - Number(other.kind === 'image'));

export const emptyTexts = byField<BookTexts>(bookFields, () => '');

/** @returns typed texts as the store would keep them; a text that it would refuse stays as it is. */
const asStored = (texts: BookTexts): BookTexts =>
  byField(bookFields, ({ name, read, write }) => {
    const value = read(texts[name], window.location.origin);
    return value === undefined ? texts[name] : write(value, money.decimals);
  });

/** @returns the texts of a book, the ISBN with the hyphens that the store has given it. */
export const textsOf = (book: DeskBook): BookTexts => ({
  ...asStored(byField(bookFields, ({ name }) => textOfSent(book[name]))),
  ...(book.isbn && book.isbnText && { isbn: book.isbnText }),
});

/** @returns the fields in which the texts differ once they are stored: `12.5` is `12.50`. */
export const differences = (texts: BookTexts, others: BookTexts): BookField[] => {
  const [one, other] = [asStored(texts), asStored(others)];
  return formFields.filter(({ name }) => one[name] !== other[name]);
};

/** @returns the changed fields, as the store takes them. */
export const changesBetween = (typed: BookTexts, base: BookTexts): BookChanges =>
  byField(differences(typed, base), ({ name, send }) => send(typed[name]));

/** @returns the book to add, as the store takes it. */
export const newBookFrom = (texts: BookTexts): NewBook =>
  byField(bookFields, ({ name, isOptional, tidy, send }) =>
    isOptional && tidy(texts[name]) === '' ? undefined : send(texts[name]),
  );
