import type { DeskMails, MailKind } from '../../contract/desk/mail.ts';
import { isPlainEmail } from '../../contract/email.ts';
import type { Db } from '../database/tables.ts';
import { DeliveryError, receiptLimitReached } from '../outbox/delivery-error.ts';
import type { Claimed } from '../outbox/due.ts';
import { noCounts, openWorker, type Worker, type WorkerParts } from '../outbox/worker.ts';
import type { Sender } from '../settings/settings.ts';
import { composeMessage, isToBuyer, messageIdOf, shopOf } from './messages.ts';
import { type MailedOrder, mailedOrders } from './order-mail.ts';
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

/** The most receipts for a customer: an order makes the shop write to its buyer, and a customer may place hundreds. */
const receiptsInAnHour = 10;
const hourMs = 60 * 60_000;

/** @returns when the customer may get the receipt; undefined if now. */
export async function turnOfReceipt(
  db: Db,
  { id }: Claimed,
  { customerId, isVerified }: Pick<MailedOrder, 'customerId' | 'isVerified'>,
): Promise<number | undefined> {
  const now = Date.now();
  const { count, first } = await db
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('done_at').as('first')])
    .where('customer_id', '=', customerId)
    // The law demands acknowledgements at once, so the limit only covers those to unverified addresses, which may be another person's.
    .where('kind', 'in', isVerified === 1 ? ['receipt'] : ['receipt', 'dispatch', 'acknowledgement'])
    .where(({ and, or, eb }) =>
      or([
        eb('done_at', '>', now - hourMs),
        // Messages before this one: each waits for its turn, or a node is sending it.
        and([eb('due_at', 'is not', null), eb('outbox.id', '<', id)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  const hours = Math.floor(Number(count) / receiptsInAnHour);
  // Each message gets its own time: if a flood became due together, it would hold up everyone's mail once an hour.
  return hours === 0 ? undefined : (first ?? now) + hours * hourMs;
}
