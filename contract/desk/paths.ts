/** Every address of the desk. They have their own file, because every page of the shop loads paths.ts. */

import { type Filters, withFilters, withParameter } from '../paths.ts';

const api = '/desk/api';

export const deskPaths = {
  today: `${api}/today`,
  activity: `${api}/activity`,
  books: `${api}/books`,
  book: withParameter(`${api}/books/:id`),
  booksChange: `${api}/books/change`,
  booksUndo: `${api}/books/undo`,
  bookCopies: withParameter(`${api}/books/:id/copies`),
  bookFrontTable: withParameter(`${api}/books/:id/front-table`),
  booksImport: `${api}/books/import`,
  booksExport: `${api}/books/export`,
  frontTable: `${api}/front-table`,
  ways: `${api}/ways`,
  way: withParameter(`${api}/ways/:id`),
  wayRemove: withParameter(`${api}/ways/:id/remove`),
  orders: `${api}/orders`,
  order: withParameter(`${api}/orders/:id`),
  orderCounts: `${api}/orders/counts`,
  orderNote: withParameter(`${api}/orders/:id/note`),
  orderWithdraw: withParameter(`${api}/orders/:id/withdraw`),
  orderSettle: withParameter(`${api}/orders/:id/settle`),
  ordersSent: `${api}/orders/sent`,
  ordersPaid: `${api}/orders/paid`,
  ordersExport: `${api}/orders/export`,
  paymentsImport: `${api}/payments/import`,
  sales: `${api}/sales`,
  salesExport: `${api}/sales/export`,
  bestSellers: `${api}/sales/best-sellers`,
  pages: `${api}/pages`,
  page: withParameter(`${api}/pages/:id`),
  mail: `${api}/mail`,
  mailOf: withParameter(`${api}/mail/:id`),
  mailRetry: withParameter(`${api}/mail/:id/retry`),
  webhooks: `${api}/webhooks`,
  webhookRetry: withParameter(`${api}/webhooks/:id/retry`),
  customers: `${api}/customers`,
  customerExport: withParameter(`${api}/customers/:id/export`),
  customerSignOut: withParameter(`${api}/customers/:id/sign-out`),
  customerBlock: withParameter(`${api}/customers/:id/block`),
  customerUnblock: withParameter(`${api}/customers/:id/unblock`),
  customerErase: withParameter(`${api}/customers/:id/erase`),
} as const;

/** The views of the desk, in the order of its navigation. */
export const deskViews = [
  'today',
  'orders',
  'books',
  'import',
  'customers',
  'sales',
  'ways',
  'pages',
  'mail',
  'activity',
  'webhooks',
] as const;
export type DeskView = (typeof deskViews)[number];

export const deskAddress = '/desk';

export const deskViewAddress = (view: DeskView, filters: Filters = {}): string =>
  withFilters(`${deskAddress}/${view}`, filters);

export const deskScreens: readonly string[] = [
  deskAddress,
  ...deskViews.map((view) => deskViewAddress(view)),
];
