import type { FastifyBaseLogger } from 'fastify';
import type { MailKind } from '../../contract/desk/mail.ts';
import { isPlainEmail } from '../../contract/email.ts';
import type { Db } from '../database/tables.ts';
import { DeliveryError, receiptLimitReached } from '../outbox/delivery-error.ts';
import type { Claimed } from '../outbox/due.ts';
import { type Counts, noCounts, openWorker, type Worker, type WorkerTimes } from '../outbox/worker.ts';
import { composeMessage, isToBuyer, type Message, messageIdOf, type Sender, shopOf } from './messages.ts';
import { findMailedOrder, isBuyerVerified } from './order-mail.ts';
import { countReceipt } from './receipt-limit.ts';
import type { Transport } from './transport.ts';

/** An order's mail is sent; in the demo, shown on the desk alone; or there is none. */
export type MailMode = 'sent' | 'shown' | 'off';

export type Mail = {
  mode: MailMode;
  sender: Sender;
  /** Messages to buyers also go to addresses that the identity provider has not verified. */
  sendsUnverified: boolean;
  counts: Readonly<Counts>;
  wake(): void;
  /** Sends a message about the store itself to the shop; nothing where no mail is sent. @throws {DeliveryError} */
  tellShop(message: ShopMessage): Promise<void>;
};

type ShopMessage = Pick<Message, 'subject' | 'text' | 'html'> & {
  /** The same for a message that is sent twice. */
  id: string;
};

export const unsentMail = (mode: 'shown' | 'off', sender: Sender): Mail => ({
  mode,
  sender,
  sendsUnverified: false,
  counts: noCounts,
  wake() {},
  async tellShop() {},
});

export const isWithoutReceipts = (
  { mode, sendsUnverified }: Pick<Mail, 'mode' | 'sendsUnverified'>,
  { isEmailVerified }: { isEmailVerified: boolean },
): boolean => mode === 'sent' && !sendsUnverified && !isEmailVerified;

export type MailSender = Mail & Pick<Worker, 'close'>;

const minute = 60_000;
// Twenty messages, five at a time, each of which a transport gives up after a minute.
const mailTimes = { claimMs: 5 * minute, firstRetryMs: minute };

type MailSenderParts = {
  db: Db;
  sender: Sender;
  sendsUnverified: boolean;
  transport: Transport;
  log: FastifyBaseLogger;
  times?: Partial<WorkerTimes>;
};

export function openMailSender({
  db,
  sender,
  sendsUnverified,
  transport,
  log,
  times,
}: MailSenderParts): MailSender {
  const send = async (message: Claimed<MailKind>): Promise<boolean> => {
    const { kind, orderId, attempts } = message;
    const order = await findMailedOrder(db, orderId);
    if (!order) throw new Error(`there is no order ${orderId}`);
    if (isToBuyer(kind)) {
      const isVerified = await isBuyerVerified(db, order);
      // It may be another person's. After the first attempt the owner has asked for it, or it was verified then.
      if (!isVerified && !sendsUnverified && attempts === 0) return false;
      // An older version took such addresses at sign-in.
      if (!isPlainEmail(order.buyerEmail)) throw notAnAddress();
      // The law demands an acknowledgement at once. One to an address that is not verified may go to another person.
      const isLimited = kind === 'receipt' || !isVerified;
      const notBefore = isLimited
        ? await countReceipt(db, message, { address: order.buyerEmail, isVerified })
        : undefined;
      if (notBefore !== undefined) throw waitingForTurn(notBefore);
    }
    await transport.send(composeMessage(kind, order, sender));
    return true;
  };

  const worker = openWorker<MailKind>(
    {
      ...{ name: 'mail', server: 'mail server', send, breakOff: transport.close },
      ...{ takesNewest: true, spread: 0, times: { ...mailTimes, ...times } },
    },
    { db, log },
  );
  const shop = shopOf(sender);
  return {
    mode: 'sent',
    sender,
    sendsUnverified,
    ...worker,
    tellShop: ({ id, ...message }) =>
      transport.send({
        ...message,
        messageId: messageIdOf(id, sender.from),
        from: shop,
        to: shop,
        replyTo: undefined,
      }),
  };
}

const notAnAddress = () =>
  new DeliveryError('message', {
    message: 'This is no address that mail can go to.',
    code: 'ADDRESS',
    wasTried: false,
  });

const waitingForTurn = (notBefore: number) =>
  new DeliveryError('limit', {
    ...{ message: receiptLimitReached, code: receiptLimitReached },
    ...{ notBefore, wasTried: false },
  });
