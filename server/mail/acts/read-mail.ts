import { DeskMailContent, DeskMailParams, type MailKind } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act, type Shop } from '../../access/act.ts';
import { Problem } from '../../http/problems.ts';
import { presentMail } from '../desk-mail.ts';
import { composeMessage } from '../messages.ts';
import { findMail } from '../order-mail.ts';

export const readMail = act({
  method: 'GET',
  path: deskPaths.mailOf,
  operationId: 'readMail',
  summary: 'Shows the messages of an order',
  description: 'As they are sent, or as they would be.',
  input: { params: DeskMailParams },
  output: DeskMailContent,
  problems: ['ORDER_NOT_FOUND'],
  run: (shop, { params }) => contentOf(shop, params.id),
});

export async function contentOf({ db, mail: { mode, sender } }: Shop, id: string): Promise<DeskMailContent> {
  const order = await findMail(db, id);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  const present = (kind: MailKind) => {
    const { to, subject, text, html } = composeMessage(kind, order, sender);
    return { to: to.name ? `${to.name} <${to.address}>` : to.address, subject, text, html };
  };
  return {
    ...presentMail(order, mode),
    receipt: present('receipt'),
    notice: present('notice'),
    ...(order.withdrawnAt !== null && {
      acknowledgement: present('acknowledgement'),
      withdrawalNotice: present('withdrawal-notice'),
    }),
  };
}
