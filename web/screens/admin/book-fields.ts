/**
 * The text fields of the Add Book form, in the order of the screen. The draft, the form and the errors at its fields
 * derive from this list. The image is the form's only other field.
 */
import type { ComponentProps } from 'react';
import type { NewBook } from '../../../contract/book.ts';

type BookField = {
  name: string;
  label: string;
  /** The field's path in the API's errors. */
  errorPath: string;
  /** What its input has beyond other text inputs. */
  input: ComponentProps<'input'>;
};

export const bookFields = [
  { name: 'title', label: 'Book Name', errorPath: 'title', input: {} },
  { name: 'price', label: 'Book Price', errorPath: 'price.value', input: { inputMode: 'decimal' } },
  { name: 'author', label: 'Author Name', errorPath: 'author', input: {} },
] as const satisfies readonly BookField[];

type BookFieldName = (typeof bookFields)[number]['name'];

/** The typed text of each field, by the field's name. */
export type BookTexts = Record<BookFieldName, string>;

/** @returns the text that `textOf` gives for each field. */
export const collectBookTexts = (textOf: (name: BookFieldName) => string): BookTexts =>
  // Object.fromEntries forgets which names its entries have.
  Object.fromEntries(bookFields.map(({ name }) => [name, textOf(name)])) as BookTexts;

/** @param image the address of the uploaded image. @returns the book as it is posted. */
export const newBookFrom = ({ title, price, author }: BookTexts, image: string): NewBook => ({
  title,
  price: { value: price },
  author,
  image,
});
