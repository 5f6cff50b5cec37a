/** Every call of the desk. They are not in paths.ts, which every page of the shop loads. */

import { withParameter } from './paths.ts';

const api = '/desk/api';

export const deskPaths = {
  activity: `${api}/activity`,
  books: `${api}/books`,
  book: withParameter(`${api}/books/:id`),
  booksImport: `${api}/books/import`,
  booksExport: `${api}/books/export`,
  orders: `${api}/orders`,
  ordersSent: `${api}/orders/sent`,
  ordersExport: `${api}/orders/export`,
} as const;
