import type { DeskMails, MailKind } from '../../contract/desk/mail.ts';
import { isPlainEmail } from '../../contract/email.ts';
import { DeliveryError, receiptLimitReached } from '../outbox/delivery-error.ts';
import type { Claimed } from '../outbox/due.ts';
import { noCounts, openWorker, type Worker, type WorkerParts } from '../outbox/worker.ts';
import type { Sender } from '../settings/settings.ts';
import { composeMessage, isToBuyer, messageIdOf, shopOf } from './messages.ts';
import { mailedOrders } from './order-mail.ts';
import { turnOfReceipt } from './receipt-limit.ts';
import type { Transport } from './transport.ts';

export type Mail = Worker & {
  /** `sent`: mail is sent. `shown`: in the demo, the desk shows it. `off`: there is no mail. */
  mode: DeskMails['mode'];
  sender: Sender;
  /** Messages to buyers also go to addresses that the identity provider has not verified. */
  sendsUnverified: boolean;
  /** Tells the shop about the store itself. @param message `id` is the same for one that is sent twice. @throws {DeliveryError} */
  tellShop(message: { id: string; subject: string; text: string }): Promise<void>;
};

export const unsentMail = (mode: 'shown' | 'off', sender: Sender): Mail => ({
  mode,
  sender,
  sendsUnverified: false,
  counts: noCounts,
  wake() {},
  async tellShop() {},
  async close() {},
});

export const isWithoutReceipts = (
  { mode, sendsUnverified }: Pick<Mail, 'mode' | 'sendsUnverified'>,
  { isEmailVerified }: { isEmailVerified: boolean },
): boolean => mode === 'sent' && !sendsUnverified && !isEmailVerified;

type MailParts = WorkerParts & Pick<Mail, 'sender' | 'sendsUnverified'> & { transport: Transport };

export function openMailSender({ sender, sendsUnverified, transport, ...parts }: MailParts): Mail {
  const { db } = parts;

  async function send(message: Claimed<MailKind>): Promise<boolean> {
    const { kind, orderId, attempts } = message;
    const order = await mailedOrders(db).where('id', '=', orderId).executeTakeFirstOrThrow();
    if (isToBuyer(kind)) {
      const isVerified = order.isVerified === 1;
      // The address may be another person's. A later attempt is allowed: the owner asked for it, or the address was verified at the first.
      if (!isVerified && !sendsUnverified && attempts === 0) return false;
      // An older version accepted such addresses at sign-in.
      if (!isPlainEmail(order.buyerEmail)) throw notAnAddress();
      const isLimited = kind === 'receipt' || !isVerified;
      const notBefore = isLimited ? await turnOfReceipt(db, message, order) : undefined;
      if (notBefore !== undefined) throw waitingForTurn(notBefore);
    }
    await transport.send(composeMessage(kind, order, sender));
    return true;
  }

  const server = 'mail server';
  const worker = openWorker({ name: 'mail', server, send, breakOff: transport.close }, parts);
  const shop = shopOf(sender);
  return {
    mode: 'sent',
    sender,
    sendsUnverified,
    ...worker,
    tellShop: ({ id, ...message }) =>
      transport.send({ ...message, messageId: messageIdOf(id, sender), from: shop, to: shop }),
  };
}

const notAnAddress = () =>
  new DeliveryError('message', { message: 'This is no address that mail can go to.', code: 'ADDRESS' });

const waitingForTurn = (notBefore: number) =>
  new DeliveryError('limit', { message: receiptLimitReached, code: 'RECEIPT_LIMIT', notBefore });
