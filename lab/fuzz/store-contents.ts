/** Fills a store for generated requests: books, customers with sessions, and an image. */

import sharp from 'sharp';
import { imageWidths } from '../../contract/image-widths.ts';
import { centsToAmount } from '../../contract/money.ts';
import { addBook } from '../../server/catalogue/books.ts';
import type { Db } from '../../server/database/tables.ts';
import { imageIdOf, storeImage } from '../../server/images/images.ts';
import type { Identity } from '../../server/sign-in/identity.ts';
import type { ApiDescription } from '../../server/testing/schema-values.ts';

/** The contents of a store, so that some of the requests succeed. */
export type StoreContents = {
  description: ApiDescription;
  /** Customers with the Cookie header of a live session; the first one is an admin. */
  customers: readonly { email: string; cookie: string }[];
  /** A session that requests may end. */
  spareCookie: string;
  books: readonly { id: string; title: string; author: string; price: number }[];
  /** File names of stored images. */
  imageFiles: readonly string[];
  /** A small image that can be uploaded. */
  image: Uint8Array;
};

/** The customers' e-mails are in this domain, so that a log can be searched for them. */
export const customerDomain = 'generated-customers.example';

export const adminEmail = `admin@${customerDomain}`;

/**
 * @param counts of books and of customers; besides them there is a customer with the e-mail {@link adminEmail}.
 * @param signIn begins a session of the store. It returns the Cookie header.
 */
export async function fillStore(
  db: Db,
  counts: { books: number; customers: number },
  signIn: (identity: Identity) => Promise<string>,
): Promise<Omit<StoreContents, 'description'>> {
  const books: { id: string; title: string; author: string; price: number }[] = [];
  for (let index = 0; index < counts.books; index += 1) {
    const priceCents = 100 + index;
    const details = { title: `Book ${index} of the sea`, author: `Author ${index % 7}`, priceCents };
    const { id } = await addBook(db, { ...details, image: 'https://covers.example/a.jpg' }, null);
    books.push({ id, title: details.title, author: details.author, price: centsToAmount(priceCents) });
  }
  const begin = (name: string) =>
    signIn({
      issuer: 'https://identity.example',
      sub: name,
      email: `${name}@${customerDomain}`,
      isEmailVerified: true,
      name: `Customer ${name}`,
      photo: '',
    });
  const names = ['admin', ...Array.from({ length: counts.customers }, (_, index) => `customer-${index}`)];
  const customers: { email: string; cookie: string }[] = [];
  for (const name of names) {
    customers.push({ email: `${name}@${customerDomain}`, cookie: await begin(name) });
  }

  const image = await sharp({ create: { width: 8, height: 12, channels: 3, background: '#a03020' } })
    .png()
    .toBuffer();
  const webp = await sharp(image).webp().toBuffer();
  const id = imageIdOf(image);
  const renditions = imageWidths.map((width) => ({ width, bytes: webp }));
  await storeImage(db, { id, width: 8, height: 12, renditions });
  return {
    customers,
    spareCookie: await begin('spare'),
    books,
    imageFiles: [`${id}.webp`, `${id}-240.webp`],
    image,
  };
}
