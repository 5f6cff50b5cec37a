import { counted } from '../../../contract/counted.ts';
import { CustomerParams, ErasedCustomer } from '../../../contract/desk/customers.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import { eraseCustomer as erase } from '../erase-customer.ts';
import { refuseOneself } from './block-customer.ts';

export const eraseCustomer = act({
  method: 'POST',
  path: deskPaths.customerErase,
  operationId: 'eraseCustomer',
  summary: 'Removes the person for good; the orders keep book, price and day',
  input: { params: CustomerParams },
  output: ErasedCustomer,
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, actor }, { params: { id } }) {
    refuseOneself(actor, id);
    return { erased: true as const, orders: await erase(db, id, actor) };
  },
  commands: {
    'customers erase': {
      purpose: 'Removes the person for good. The orders keep book, price and day.',
      flags: { yes: 'erase, instead of saying whom' },
      confirm(customers) {
        const unsent = customers.reduce((sum, { unsentOrders }) => sum + unsentOrders, 0);
        const buyer = `${counted(unsent, 'order')} not sent yet will have no buyer`;
        return `--yes erases ${counted(customers.length, 'customer')} for good${unsent > 0 ? `; ${buyer}` : ''}.`;
      },
      json: ({ orders }) => ({ orders }),
      ofEmail(customers, erased) {
        const orders = erased.reduce((sum, { orders }) => sum + orders, 0);
        return `Erased ${customers} with ${counted(orders, 'order')}.`;
      },
    },
  },
});
