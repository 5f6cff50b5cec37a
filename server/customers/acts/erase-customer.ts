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
});
