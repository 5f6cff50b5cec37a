import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { type DeskOrder, OrdersExportQuery } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Money } from '../../../contract/price.ts';
import { fileAct } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { csvLine } from '../../exports/csv-line.ts';
import { timesOf } from '../../http/day-range.ts';
import { readDeskOrders } from '../desk-orders.ts';

export const exportOrders = fileAct({
  method: 'GET',
  path: deskPaths.ordersExport,
  operationId: 'exportOrders',
  summary: 'The orders as a file, oldest first',
  description:
    'CSV as RFC 4180 defines it, in UTF-8 with a byte order mark; what a spreadsheet would compute has an ' +
    'apostrophe before it. Or JSON Lines: an order as in the list on each line.',
  scope: 'orders',
  input: { query: OrdersExportQuery },
  files: { 'text/csv': Type.Any(), 'application/jsonl': Type.Any() },
  async run({ db, listDb, zone, money, actor }, { query: { format = 'csv', from, to, ...filter } }) {
    const { state = 'all', q } = filter;
    const days = [...(from ? ['from', from] : []), ...(to ? ['to', to] : [])];
    const chosen = { ...filter, ...timesOf({ from, to }, zone) };
    const { type, head, write } = formats[format];
    let count = 0;
    async function* parts(): AsyncGenerator<string> {
      yield head;
      for await (const orders of readDeskOrders(listDb, chosen)) {
        count += orders.length;
        yield orders.map((order) => write(order, money)).join('');
      }
    }
    return {
      // The file's name never has the words of a search: they may be a person's name.
      name: ['orders', ...(state === 'all' ? [] : [state]), ...(q ? ['search'] : []), ...days],
      ending: format,
      type,
      async read() {
        const details = { format, state, isSearch: q !== undefined };
        await recordActivity(db, 'orders-exported', actor, { details });
        return parts();
      },
      count: () => counted(count, 'order'),
    };
  },
  commands: { 'orders export': {} },
});

const columns: Readonly<Record<string, (order: DeskOrder, money: Money) => string | null>> = {
  id: ({ _id }) => _id,
  placedAt: ({ placedAt }) => placedAt,
  sentAt: ({ sentAt }) => sentAt,
  title: ({ title }) => title,
  author: ({ author }) => author,
  price: ({ price }, money) => money.write(price),
  buyerName: ({ buyer }) => buyer.name,
  buyerEmail: ({ buyer }) => buyer.email,
  customerId: ({ buyer }) => buyer._id,
  deliveryAddress: ({ deliveryAddress }) => deliveryAddress,
  withdrawnAt: ({ withdrawnAt }) => withdrawnAt,
  withdrawnBy: ({ withdrawnBy }) => withdrawnBy,
  withdrawalReason: ({ withdrawalReason }) => withdrawalReason,
  refundedAt: ({ refundedAt }) => refundedAt,
  returnedAt: ({ returnedAt }) => returnedAt,
  note: ({ note }) => note,
  number: ({ number }) => number,
  currency: ({ currency }) => currency,
  delivery: ({ delivery }) => delivery?.name ?? null,
  deliveryPrice: ({ delivery }, money) => (delivery ? money.write(delivery.price) : null),
  total: ({ total }, money) => money.write(total),
  // The words of a gift may be empty.
  isGift: ({ gift }) => (gift ? 'yes' : null),
  gift: ({ gift }) => gift?.text ?? null,
  cancelledAt: ({ cancelledAt }) => cancelledAt,
  paidAt: ({ payment }) => payment?.paidAt ?? null,
  paid: ({ payment }, money) => (payment ? money.write(payment.paid) : null),
  refunded: ({ payment }, money) => (payment ? money.write(payment.refunded) : null),
  tracking: ({ tracking }) => tracking,
};

const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    // Without the byte order mark, Excel would read the bytes in the computer's own encoding.
    head: `\uFEFF${csvLine(Object.keys(columns))}`,
    write: (order: DeskOrder, money: Money) =>
      csvLine(Object.values(columns).map((textOf) => textOf(order, money) ?? '')),
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    write: (order: DeskOrder) => `${JSON.stringify(order)}\n`,
  },
};
