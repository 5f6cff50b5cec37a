/** What search engines are told of a book (https://schema.org). It is typed: a field that the vocabulary lacks fails the build. */

import type { BookLeaf, MerchantReturnPolicy, Offer, OfferShippingDetails, ProductLeaf } from 'schema-dts';
import { centsToAmount } from '../../contract/money.ts';
import { screens } from '../../contract/paths.ts';
import { subjectsOf } from '../../contract/subjects.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { stockOf } from '../catalogue/book-response.ts';
import type { BookVersion } from '../catalogue/books.ts';
import type { StoredWay } from '../ways/ways.ts';
import { plainLine } from './page-head.ts';
import { addressOf, coverOf, type StoreOnPages } from './store-on-pages.ts';

/** `withdrawalDays`: 0 for a shop that takes no book back. */
export type SaleTerms = { ways: readonly StoredWay[]; withdrawalDays: number };

export function bookData(store: StoreOnPages, book: BookVersion, terms: SaleTerms) {
  const { isbn, description } = book;
  const url = addressOf(store, screens.book(book.id));
  const product = {
    '@type': 'Product',
    name: plainLine(book.title),
    image: coverOf(book, store),
    ...(description ? { description } : {}),
    sku: book.id,
    url,
    offers: offerOf(store, book, terms),
  } satisfies ProductLeaf;
  const read = {
    '@type': 'Book',
    author: { '@type': 'Person', name: plainLine(book.author) },
    ...(isbn ? { isbn } : {}),
  } satisfies BookLeaf;
  // Search engines read offers from a product, and authors and ISBNs from a book.
  return { ...product, ...read, ...(isbn ? { gtin13: isbn } : {}), '@type': ['Product', 'Book'] };
}

function offerOf(store: StoreOnPages, book: BookVersion, { ways, withdrawalDays }: SaleTerms): Offer {
  const { money, name } = store;
  const posted = ways.filter(({ asksAddress }) => asksAddress);
  return {
    '@type': 'Offer',
    price: money.write(centsToAmount(book.priceCents)),
    priceCurrency: money.currency,
    availability: stockOf(book).soldOut ? 'https://schema.org/OutOfStock' : 'https://schema.org/InStock',
    itemCondition: isUsed(book) ? 'https://schema.org/UsedCondition' : 'https://schema.org/NewCondition',
    url: addressOf(store, screens.book(book.id)),
    seller: { '@type': 'BookStore', name, url: addressOf(store, screens.home) },
    ...(withdrawalDays > 0 && { hasMerchantReturnPolicy: returnPolicy(store, withdrawalDays) }),
    ...(posted.length > 0 && { shippingDetails: posted.map((way) => shippingOf(store, way)) }),
  };
}

/** The owner says so with a subject. */
const isUsed = ({ keywords }: BookVersion): boolean =>
  subjectsOf(keywords).some((subject) => /^(?:used|second-?hand)\b/i.test(subject));

/** The members of the European Union, whose law WITHDRAWAL_DAYS follows. Search engines ask where a policy applies. */
const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

const returnPolicy = (store: StoreOnPages, merchantReturnDays: number): MerchantReturnPolicy => ({
  '@type': 'MerchantReturnPolicy',
  applicableCountry: members,
  returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
  merchantReturnDays,
  returnMethod: 'https://schema.org/ReturnByMail',
  merchantReturnLink: addressOf(store, withdrawalPaths.page),
});

const shippingOf = ({ money: { currency } }: StoreOnPages, way: StoredWay): OfferShippingDetails => ({
  '@type': 'OfferShippingDetails',
  shippingLabel: way.name,
  shippingRate: { '@type': 'MonetaryAmount', value: centsToAmount(way.priceCents), currency },
});
