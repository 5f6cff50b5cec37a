import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';
import { maxCounted } from './limits.ts';
import { DeskOrder } from './orders.ts';
import { Sales } from './sales.ts';

const Counted = (description: string) =>
  Part.Count(`${description} ${maxCounted} stands for so many and more.`);

export const OrderCounts = Part.Named('OrderCounts', {
  due: Counted('Those to be paid.'),
  new: Counted('Those to be sent.'),
  'no-address': Counted('Those to be sent that have no address yet.'),
  sent: Counted('Those that were sent.'),
  withdrawn: Counted('Those that were withdrawn.'),
  surplus: Counted('Those of which money came twice or too late, and has not gone back.'),
  all: Counted('All of them.'),
});
export type OrderCounts = Static<typeof OrderCounts>;

export const Today = Part.Named('Today', {
  toBePaid: Counted('Orders to be paid.'),
  toSend: Counted('Orders to be sent.'),
  toRefund: Counted('Withdrawn orders whose money is not marked as refunded.'),
  surplus: Counted('Orders of which money came twice or too late, and has not gone back.'),
  failedMail: Counted('Orders whose mail was given up.'),
  soldOut: Counted('Books that are sold out.'),
  withoutPicture: Counted(
    'Books for sale, of the newest 10,000, whose picture the store should have and has not.',
  ),
  lastWeek: Sales,
  thisWeek: Sales,
  orders: Type.Array(DeskOrder, { description: 'The last ten.' }),
  // These fields are for owners without other monitoring.
  store: Type.Object({
    lastBackup: Part.NullableTime('When the last good backup by the command began; null: there was none.'),
    isBackupOld: Part.Flag('It is older than two days.'),
    waitingMail: Counted('Messages of orders that are due.'),
    diskFreeBytes: Type.Optional(Part.Count('Free on the disk of SQLite’s file.')),
    diskBytes: Type.Optional(Part.Count('The size of that disk.')),
    version: Type.String(),
  }),
});
export type Today = Static<typeof Today>;
