/**
 * The table of the store's defences, for `npm run test:defences`. Each removal must turn its test red. A row is in the file
 * that has the name of its code's folder; `process.ts` has those of the files beside the folders, such as `app.ts`.
 */

import type { Defence } from './defence.ts';
import { accessDefences } from './table/access.ts';
import { activityDefences } from './table/activity.ts';
import { catalogueDefences } from './table/catalogue.ts';
import { contractDefences } from './table/contract.ts';
import { customersDefences } from './table/customers.ts';
import { databaseDefences } from './table/database.ts';
import { demoDefences } from './table/demo.ts';
import { httpDefences } from './table/http.ts';
import { imagesDefences } from './table/images.ts';
import { mailDefences } from './table/mail.ts';
import { operationsDefences } from './table/operations.ts';
import { ordersDefences } from './table/orders.ts';
import { pagesDefences } from './table/pages.ts';
import { processDefences } from './table/process.ts';
import { signInDefences } from './table/sign-in.ts';
import { webDefences } from './table/web.ts';

export const defences: readonly Defence[] = [
  ...accessDefences,
  ...activityDefences,
  ...catalogueDefences,
  ...contractDefences,
  ...customersDefences,
  ...databaseDefences,
  ...demoDefences,
  ...httpDefences,
  ...imagesDefences,
  ...mailDefences,
  ...operationsDefences,
  ...ordersDefences,
  ...pagesDefences,
  ...processDefences,
  ...signInDefences,
  ...webDefences,
];
