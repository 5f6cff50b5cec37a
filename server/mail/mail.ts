/** Sends the mail of orders, in the background: placing an order never waits for it. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { isPlainEmail } from '../../contract/email.ts';
import type { Db } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { DeliveryError } from '../outbox/delivery-error.ts';
import { watchServer } from '../outbox/server-health.ts';
import { openWorker, type RetryTimes, type Worker, type WorkerTimes } from '../outbox/worker.ts';
import {
  composeMessage,
  isToBuyer,
  kindsOf,
  type Message,
  type MessageKind,
  messageIdOf,
  type Sender,
  shopOf,
} from './messages.ts';
import {
  type ClaimedMail,
  changeClaimed,
  claimDueMail,
  isBuyerVerified,
  receiptLimitReached,
} from './outbox.ts';
import { freeReceiptSlot, takeReceiptSlot } from './receipt-slots.ts';
import { nextAttempt } from './retries.ts';
import type { Transport } from './transport.ts';

/** An order's mail is sent; in the demo, shown on the desk alone; or there is none. */
export type MailMode = 'sent' | 'shown' | 'off';

/** Since the start of this node: messages that the server took, attempts that failed, orders whose mail was given up. */
type MailCounts = { sent: number; failed: number; givenUp: number };

export type Mail = {
  mode: MailMode;
  sender: Sender;
  /** Messages to buyers also go to addresses that the identity provider has not verified. */
  sendsUnverified: boolean;
  counts: Readonly<MailCounts>;
  /** Call it when mail has become due. It returns at once. */
  wake(): void;
  /** Sends a message about the store itself to the shop; nothing where no mail is sent. @throws {DeliveryError} */
  tellShop(message: ShopMessage): Promise<void>;
};

/** `id`: the same for a message that is sent twice. */
type ShopMessage = Pick<Message, 'subject' | 'text' | 'html'> & { id: string };

/** The mail of a store that sends none. */
export const unsentMail = (mode: 'shown' | 'off', sender: Sender): Mail => ({
  mode,
  sender,
  sendsUnverified: false,
  counts: { sent: 0, failed: 0, givenUp: 0 },
  wake() {},
  async tellShop() {},
});

/** True for a customer without receipts in a shop that sends them. */
export const isWithoutReceipts = (
  { mode, sendsUnverified }: Pick<Mail, 'mode' | 'sendsUnverified'>,
  { isEmailVerified }: { isEmailVerified: boolean },
): boolean => mode === 'sent' && !sendsUnverified && !isEmailVerified;

export type MailSender = Mail & Pick<Worker, 'close'>;

export type MailTimes = WorkerTimes & RetryTimes;

const minute = 60_000;
const mailTimes: MailTimes = {
  pollMs: 10_000,
  roundMs: 250,
  // Both messages of an order, each of which a transport gives up after a minute, and a database that hesitates.
  claimMs: 5 * minute,
  firstRetryMs: minute,
  maxRetryMs: 60 * minute,
  maxPauseMs: 5 * minute,
  giveUpAfterMs: 3 * 24 * 60 * minute,
  closeMs: 3_000,
};

const storeRetryMs = 1_000;

type MailSenderParts = {
  db: Db;
  sender: Sender;
  sendsUnverified: boolean;
  transport: Transport;
  log: FastifyBaseLogger;
  times?: Partial<MailTimes>;
};

/** Sends what is due, now and from now on. Several nodes share the work. */
export function openMailSender({
  db,
  sender,
  sendsUnverified,
  transport,
  log,
  times: otherTimes,
}: MailSenderParts): MailSender {
  const times = { ...mailTimes, ...otherTimes };
  const { claimMs } = times;
  const counts: MailCounts = { sent: 0, failed: 0, givenUp: 0 };
  const server = watchServer('mail server', log, { firstMs: times.firstRetryMs, maxMs: times.maxPauseMs });

  /** Sends the messages that an order lacks; what becomes of one does not concern the other. */
  const sendMail = async (claimed: ClaimedMail): Promise<void> => {
    const failures: DeliveryError[] = [];
    const mail = await renewClaim(claimed);
    if (!mail) return;
    const unsent = await kindsToSend(mail);
    for (const kind of unsent) {
      const failure = await trySending(kind, mail);
      if (failure) failures.push(failure);
      const isDone = failures.length === 0 && kind === unsent.at(-1);
      const changes = { [sentColumns[kind].column]: Date.now(), ...(isDone && nothingLeft) };
      if (!failure && !(await storeSent(mail, changes))) return;
    }
    if (failures.length > 0) await recordFailures(mail, failures);
    // An older version released an order after its last message.
    else if (unsent.length === 0) await storeSent(mail, nothingLeft);
  };

  /**
   * An address that is not verified gets no message: it may be another person's. This is decided while a message to the shop is unsent.
   * After that an attempt has failed, or the owner has asked for the buyer's.
   */
  const kindsToSend = async (mail: ClaimedMail): Promise<MessageKind[]> => {
    const unsent = kindsOf(mail).filter((kind) => mail[sentColumns[kind].field] === null);
    const isDecided = sendsUnverified || unsent.every(isToBuyer);
    return isDecided || (await isBuyerVerified(db, mail))
      ? unsent
      : unsent.filter((kind) => !isToBuyer(kind));
  };

  /**
   * The law demands an acknowledgement at once. One to an address that is not verified may go to another person.
   * @returns as {@link takeReceiptSlot}; undefined for a message without a limit.
   */
  const takeSlot = async (kind: MessageKind, mail: ClaimedMail, now: number) => {
    if (!isToBuyer(kind)) return undefined;
    const isVerified = await isBuyerVerified(db, mail);
    const isLimited = kind === 'receipt' || !isVerified;
    return isLimited ? await takeReceiptSlot(db, { address: mail.buyerEmail, isVerified }, now) : undefined;
  };

  const trySending = async (kind: MessageKind, mail: ClaimedMail): Promise<DeliveryError | undefined> => {
    const now = Date.now();
    if (worker.isClosing() || server.isPaused()) return waitingForServer();
    // An older version took such addresses at sign-in.
    if (isToBuyer(kind) && !isPlainEmail(mail.buyerEmail)) return notAnAddress();
    const slot = await takeSlot(kind, mail, now);
    if (typeof slot === 'number') return waitingForSlot(slot);
    try {
      await transport.send(composeMessage(kind, mail, sender));
      server.recordTaken();
      counts.sent += 1;
      return undefined;
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      counts.failed += 1;
      if (slot) await freeReceiptSlot(db, slot);
      const failure = server.isAboutMessage(mail, error) ? error.asLater() : error;
      if (failure.concerns === 'server' && !worker.isClosing()) server.recordFailure(failure);
      return failure;
    }
  };

  /** The server has taken it: while the claim holds, a database that is away is asked again, so that it is not sent twice. */
  const storeSent = async (
    mail: ClaimedMail,
    changes: Parameters<typeof changeClaimed>[2],
  ): Promise<boolean> => {
    for (;;) {
      try {
        return await changeClaimed(db, mail, changes);
      } catch (error) {
        const isHopeless = worker.isClosing() || Date.now() + storeRetryMs > mail.claimedUntil;
        if (!isUnavailable(error) || isHopeless) throw error;
        await pause(storeRetryMs, undefined, { ref: false });
      }
    }
  };

  /** Others of the same claim may have taken most of its time. @returns undefined when another node has the order. */
  const renewClaim = async (mail: ClaimedMail): Promise<ClaimedMail | undefined> => {
    const now = Date.now();
    if (now < mail.claimedUntil - claimMs / 2) return mail;
    const claimedUntil = now + claimMs;
    const isMine = await changeClaimed(db, mail, { mail_due_at: claimedUntil });
    return isMine ? Object.assign(mail, { claimedUntil }) : undefined;
  };

  const recordFailures = async (mail: ClaimedMail, failures: readonly DeliveryError[]): Promise<void> => {
    const dueAt = await nextAttempt(db, mail, failures, {
      ...times,
      isClosing: worker.isClosing(),
      server,
    });
    if (dueAt === undefined) {
      counts.givenUp += 1;
      log.warn({ order: mail.id, codes: failures.map(({ code }) => code) }, 'gave up the mail of an order');
    }
    await changeClaimed(db, mail, {
      mail_due_at: dueAt ?? null,
      mail_error: [...new Set(failures.map(({ message }) => message))].join(' '),
    });
  };

  const worker = openWorker({
    name: 'mail',
    claimDue: (claim) => claimDueMail(db, claim),
    send: sendMail,
    isPaused: server.isPaused,
    breakOff: transport.close,
    times,
    log,
  });
  const shop = shopOf(sender);
  return {
    mode: 'sent',
    sender,
    sendsUnverified,
    counts,
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

const sentColumns = {
  receipt: { field: 'receiptSentAt', column: 'receipt_sent_at' },
  notice: { field: 'noticeSentAt', column: 'notice_sent_at' },
  acknowledgement: { field: 'acknowledgementSentAt', column: 'acknowledgement_sent_at' },
  'withdrawal-notice': { field: 'withdrawalNoticeSentAt', column: 'withdrawal_notice_sent_at' },
} as const satisfies Record<MessageKind, object>;

const nothingLeft = { mail_due_at: null, mail_error: null };

const waitingForServer = () =>
  new DeliveryError('server', {
    message: 'Waits until the mail server takes messages again.',
    code: 'WAITS',
  });

const notAnAddress = () =>
  new DeliveryError('message', { message: 'This is no address that mail can go to.', code: 'ADDRESS' });

const waitingForSlot = (notBefore: number) =>
  new DeliveryError('limit', { message: receiptLimitReached, code: receiptLimitReached, notBefore });
