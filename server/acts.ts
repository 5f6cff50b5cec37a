/** Every act of the owner. Each is a call of the desk's API, and some are commands of `npm run shop`. */

import type { Act } from './access/act.ts';
import { listActivity } from './activity/acts/list-activity.ts';
import { changeCopies } from './catalogue/acts/change-copies.ts';
import { changeBooks, undoBooks } from './catalogue/acts/change-many.ts';
import { exportBooks } from './catalogue/acts/export-books.ts';
import { findBook } from './catalogue/acts/find-book.ts';
import { listBooks } from './catalogue/acts/list-books.ts';
import { blockCustomer, unblockCustomer } from './customers/acts/block-customer.ts';
import { eraseCustomer } from './customers/acts/erase-customer.ts';
import { exportCustomer } from './customers/acts/export-customer.ts';
import { findCustomers } from './customers/acts/find-customers.ts';
import { signOutCustomer } from './customers/acts/sign-out-customer.ts';
import { editFrontWords, readFrontTable, setOnFrontTable } from './front-table/acts/front-table.ts';
import { listMail } from './mail/acts/list-mail.ts';
import { readMail, retryMail } from './mail/acts/mail-of-order.ts';
import { noteOrder, setAddress } from './orders/acts/edit-order.ts';
import { exportOrders } from './orders/acts/export-orders.ts';
import { markOrders } from './orders/acts/mark-orders.ts';
import { findOrder, listOrders } from './orders/acts/read-orders.ts';
import { exportSales, listBestSellers, listSales } from './orders/acts/sales.ts';
import { settleOrder } from './orders/acts/settle-order.ts';
import { countOrders, readToday } from './orders/acts/today.ts';
import { withdrawForShop } from './orders/acts/withdraw-order.ts';
import { importPayments } from './payments/acts/import-bank-file.ts';
import { markOrdersPaid } from './payments/acts/mark-paid.ts';
import { changePage, findPage, listPages } from './shop-pages/acts/shop-pages.ts';
import { listWays, removeWay, setWay } from './ways/acts/ways.ts';
import { listWebhooks, retryWebhook } from './webhooks/acts/webhooks.ts';

/** The acts, in the order of the API's description. */
export const acts: readonly Act[] = [
  ...[listBooks, exportBooks, findBook, changeCopies, changeBooks, undoBooks],
  ...[readFrontTable, editFrontWords, setOnFrontTable],
  ...[listWays, setWay, removeWay, listPages, findPage, changePage],
  ...[listOrders, markOrders, setAddress, findOrder, noteOrder, withdrawForShop, settleOrder, exportOrders],
  ...[markOrdersPaid, importPayments],
  ...[listSales, exportSales, listBestSellers, readToday, countOrders],
  ...[listMail, readMail, retryMail, listWebhooks, retryWebhook],
  ...[findCustomers, exportCustomer, signOutCustomer, blockCustomer, unblockCustomer, eraseCustomer],
  listActivity,
];
