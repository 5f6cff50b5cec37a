import { Type } from 'typebox';
import { CustomerParams } from '../../../contract/desk/customers.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { fileAct } from '../../access/act.ts';
import { findCustomerById } from '../customers.ts';
import { exportCustomer as read } from '../export-customer.ts';

export const exportCustomer = fileAct({
  method: 'GET',
  path: deskPaths.customerExport,
  operationId: 'exportCustomer',
  summary: 'Everything that the store has about a customer, as JSON',
  description: 'For a customer who asks what the store has about them.',
  input: { params: CustomerParams },
  files: { 'application/json': Type.Any() },
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, listDb, actor }, { params }) {
    // The entry has the customer’s id, because the address may have any text in its place.
    const { _id } = await findCustomerById(db, params.id);
    return {
      name: ['customer', _id],
      ending: 'json',
      type: 'application/json; charset=utf-8',
      read: () => read({ db, readDb: listDb }, _id, actor),
    };
  },
  commands: {
    'customers export': {
      purpose:
        'Prints everything that the store has about a customer: one JSON array, of one object for each customer of that e-mail.',
      ofEmail: (customers) => customers,
    },
  },
});
