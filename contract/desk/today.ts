import { type Static, Type } from 'typebox';
import { NullableTime } from '../nullable.ts';
import { maxCounted } from './max-counted.ts';
import { DeskOrder } from './orders.ts';
import { Sales } from './sales.ts';

const Counted = (description: string) =>
  Type.Integer({ description: `${description} ${maxCounted} stands for so many and more.` });

/** How many orders each state has. */
export const OrderCounts = Type.Object(
  {
    new: Counted('Those to be sent.'),
    sent: Counted('Those that were sent.'),
    withdrawn: Counted('Those that were withdrawn.'),
    all: Counted('All of them.'),
  },
  { title: 'OrderCounts' },
);
export type OrderCounts = Static<typeof OrderCounts>;

/** The state of the store itself, for owners without other monitoring. */
const StoreState = Type.Object({
  lastBackup: NullableTime('When the last good backup by the command began; null: there was none.'),
  isBackupOld: Type.Boolean({ description: 'It is older than two days.' }),
  waitingMail: Counted('Orders whose mail is due.'),
  diskFreeBytes: Type.Optional(Type.Integer({ description: 'Free on the disk of SQLite’s file.' })),
  diskBytes: Type.Optional(Type.Integer({ description: 'The size of that disk.' })),
  version: Type.String(),
});

/** The work that waits for the owner, and how the shop does. */
export const Today = Type.Object(
  {
    toSend: Counted('Orders to be sent.'),
    toRefund: Counted(
      'Withdrawn orders, of the newest 10,000 of these, whose money is not marked as refunded.',
    ),
    failedMail: Counted('Orders whose mail was given up.'),
    soldOut: Counted('Books that are sold out.'),
    withoutPicture: Counted(
      'Books for sale, of the newest 10,000, whose picture the store should have and has not.',
    ),
    lastWeek: Sales,
    thisWeek: Sales,
    orders: Type.Array(DeskOrder, { description: 'The last ten.' }),
    store: StoreState,
  },
  { title: 'Today' },
);
export type Today = Static<typeof Today>;
