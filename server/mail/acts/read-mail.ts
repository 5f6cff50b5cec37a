import { DeskMailContent } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { OrderParams } from '../../../contract/order.ts';
import { act } from '../../access/act.ts';
import { readMail as read } from '../desk-mail.ts';

export const readMail = act({
  method: 'GET',
  path: deskPaths.mailOf,
  operationId: 'readMail',
  summary: 'Shows the messages of an order',
  description: 'As they are sent, or as they would be.',
  input: { params: OrderParams },
  output: DeskMailContent,
  problems: ['ORDER_NOT_FOUND'],
  run: (shop, { params }) => read(shop, params.id),
});
