/** What search engines are told of a book (https://schema.org). It is typed: a field that the vocabulary lacks fails the build. */

import type { BookLeaf, MerchantReturnPolicy, Offer, OfferShippingDetails, ProductLeaf } from 'schema-dts';
import { centsToAmount } from '../../contract/money.ts';
import { screens } from '../../contract/paths.ts';
import { subjectsOf } from '../../contract/subjects.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { authorLinks } from '../catalogue/authors.ts';
import { stockOf } from '../catalogue/book-response.ts';
import type { BookVersion } from '../catalogue/books.ts';
import type { StoredWay } from '../ways/ways.ts';
import { plainLine } from './page-head.ts';
import { addressOf, coverOf, type StoreOnPages } from './store-on-pages.ts';

/** `withdrawalDays`: 0 for a shop that takes no book back. */
export type SaleTerms = { ways: readonly StoredWay[]; withdrawalDays: number };

export function bookData(store: StoreOnPages, book: BookVersion, terms: SaleTerms) {
  const { id, title, isbn, description, pages, language, published, publisher, series, seriesNumber } = book;
  const data = {
    name: plainLine(title),
    image: coverOf(book, store),
    ...(description && { description }),
    author: authorLinks(book.author).map(({ name, slug }) => ({
      '@type': 'Person' as const,
      name: plainLine(name),
      ...(slug && book.copiesLeft !== 0 && { url: addressOf(store, screens.author(slug)) }),
    })),
    ...(isbn && { isbn, gtin13: isbn }),
    ...(pages && { numberOfPages: pages }),
    ...(language && { inLanguage: language }),
    ...(published && { datePublished: published.padStart(4, '0') }),
    ...(publisher && { publisher: { '@type': 'Organization' as const, name: plainLine(publisher) } }),
    ...(series && { isPartOf: { '@type': 'BookSeries' as const, name: plainLine(series) } }),
    ...(series && seriesNumber && { position: seriesNumber }),
    sku: id,
    url: addressOf(store, screens.book(id)),
    offers: offerOf(store, book, terms),
  } satisfies Omit<ProductLeaf, '@type'> & Omit<BookLeaf, '@type'>;
  // Search engines read offers from a product, and authors and ISBNs from a book.
  return { '@type': ['Product', 'Book'], ...data };
}

/** The members of the European Union, whose law WITHDRAWAL_DAYS follows. Search engines ask where a policy applies. */
const members = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/** The owner says with a subject that a book is used. */
const isUsed = ({ keywords }: BookVersion): boolean =>
  subjectsOf(keywords).some((subject) => /^(?:used|second-?hand)\b/i.test(subject));

function offerOf(store: StoreOnPages, book: BookVersion, { ways, withdrawalDays }: SaleTerms): Offer {
  const { currency, write } = store.money;
  const policy: MerchantReturnPolicy = {
    '@type': 'MerchantReturnPolicy',
    applicableCountry: members,
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: withdrawalDays,
    returnMethod: 'https://schema.org/ReturnByMail',
    merchantReturnLink: addressOf(store, withdrawalPaths.page),
  };
  const shippingOf = ({ name, priceCents }: StoredWay): OfferShippingDetails => ({
    '@type': 'OfferShippingDetails',
    shippingLabel: name,
    shippingRate: { '@type': 'MonetaryAmount', value: centsToAmount(priceCents), currency },
  });
  const posted = ways.filter(({ asksAddress }) => asksAddress);
  return {
    '@type': 'Offer',
    price: write(centsToAmount(book.priceCents)),
    priceCurrency: currency,
    availability: stockOf(book).soldOut ? 'https://schema.org/OutOfStock' : 'https://schema.org/InStock',
    itemCondition: isUsed(book) ? 'https://schema.org/UsedCondition' : 'https://schema.org/NewCondition',
    url: addressOf(store, screens.book(book.id)),
    seller: { '@type': 'BookStore', name: store.name, url: addressOf(store, screens.home) },
    ...(withdrawalDays > 0 && { hasMerchantReturnPolicy: policy }),
    ...(posted.length > 0 && { shippingDetails: posted.map(shippingOf) }),
  };
}
