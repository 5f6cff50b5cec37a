import { Type } from 'typebox';
import { CustomerParams } from '../../../contract/desk/customers.ts';
import { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { Answer, act } from '../../access/act.ts';
import { listDeskOrders } from '../../orders/desk-orders.ts';
import { findCustomerById } from '../customers.ts';

export const listOrdersOfCustomer = act({
  method: 'GET',
  path: deskPaths.customerOrders,
  operationId: 'listOrdersOfCustomer',
  summary: 'Lists the orders of a customer, newest first',
  description: 'When more orders may follow, `Link` names the next page.',
  input: {
    params: CustomerParams,
    query: Type.Object({ limit: Part.PageLimit(), cursor: Part.PageCursor(64) }),
  },
  output: Type.Array(DeskOrder),
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, listDb }, { params: { id }, query: { limit = maxPageSize, cursor } }) {
    const { _id: customerId } = await findCustomerById(db, id);
    const { orders, nextCursor } = await listDeskOrders(listDb, { customerId }, { limit, cursor });
    return new Answer(orders, { nextCursor });
  },
});
