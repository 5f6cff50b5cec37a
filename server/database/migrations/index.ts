import type { Migration } from 'kysely/migration';
import * as first from './0001-books-customers-orders-images.ts';
import * as second from './0002-activity-attempt-keys-retries.ts';
import * as third from './0003-catalogue-changes-order-indexes.ts';
import * as fourth from './0004-search-keys-words.ts';
import * as fifth from './0005-desk.ts';
import * as sixth from './0006-sales.ts';
import * as seventh from './0007-mail.ts';
import * as eighth from './0008-deleted-titles.ts';
import * as ninth from './0009-customer-names.ts';
import * as tenth from './0010-last-backup.ts';
import * as eleventh from './0011-admin-claim.ts';
import * as twelfth from './0012-receipt-slots.ts';
import * as thirteenth from './0013-delivery-address.ts';
import * as fourteenth from './0014-copies.ts';
import * as fifteenth from './0015-withdrawal.ts';
import * as sixteenth from './0016-isbn-description.ts';
import * as seventeenth from './0017-changed-books.ts';
import * as eighteenth from './0018-webhooks.ts';
import * as nineteenth from './0019-taken-copies.ts';
import * as twentieth from './0020-sums-notes.ts';
import * as twentyFirst from './0021-front-table.ts';
import * as twentySecond from './0022-find.ts';
import * as twentyThird from './0023-colours-orders-of-books.ts';
import * as twentyFourth from './0024-session-changes.ts';
import * as twentyFifth from './0025-sort-keys.ts';
import * as twentySixth from './0026-sign-in-attempts.ts';
import * as twentySeventh from './0027-outbox.ts';
import * as twentyEighth from './0028-stock.ts';

/** Every migration by its name, which orders them. A released one is never edited (docs/decisions/0022). */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-books-customers-orders-images': first,
  '0002-activity-attempt-keys-retries': second,
  '0003-catalogue-changes-order-indexes': third,
  '0004-search-keys-words': fourth,
  '0005-desk': fifth,
  '0006-sales': sixth,
  '0007-mail': seventh,
  '0008-deleted-titles': eighth,
  '0009-customer-names': ninth,
  '0010-last-backup': tenth,
  '0011-admin-claim': eleventh,
  '0012-receipt-slots': twelfth,
  '0013-delivery-address': thirteenth,
  '0014-copies': fourteenth,
  '0015-withdrawal': fifteenth,
  '0016-isbn-description': sixteenth,
  '0017-changed-books': seventeenth,
  '0018-webhooks': eighteenth,
  '0019-taken-copies': nineteenth,
  '0020-sums-notes': twentieth,
  '0021-front-table': twentyFirst,
  '0022-find': twentySecond,
  '0023-colours-orders-of-books': twentyThird,
  '0024-session-changes': twentyFourth,
  '0025-sort-keys': twentyFifth,
  '0026-sign-in-attempts': twentySixth,
  '0027-outbox': twentySeventh,
  '0028-stock': twentyEighth,
};
