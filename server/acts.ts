/** Every act of the owner. Each is a call of the desk's API, and some are commands of `npm run shop`. */

import type { Act } from './access/act.ts';
import { listActivity } from './activity/acts/list-activity.ts';
import { changeBooks, changeCopies, findBook, listBooks, undoBooks } from './catalogue/acts/books.ts';
import { exportBooks } from './catalogue/acts/export-books.ts';
import {
  blockCustomer,
  eraseCustomer,
  exportCustomer,
  findCustomers,
  signOutCustomer,
  unblockCustomer,
} from './customers/acts/customers.ts';
import { editFrontWords, readFrontTable, setOnFrontTable } from './front-table/acts/front-table.ts';
import { listMail, readMail, retryMail } from './mail/acts/mail.ts';
import { noteOrder, setAddress, settleOrder, withdrawForShop } from './orders/acts/change-order.ts';
import { exportOrders } from './orders/acts/export-orders.ts';
import { markOrders } from './orders/acts/mark-orders.ts';
import { findOrder, listOrders } from './orders/acts/read-orders.ts';
import { exportSales, listBestSellers, listSales } from './orders/acts/sales.ts';
import { countOrders, readToday } from './orders/acts/today.ts';
import { importPayments, markOrdersPaid } from './payments/acts/payments.ts';
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
