import { statements } from './statements.ts';

const buyers = { receipt: 'receipt_sent_at', acknowledgement: 'acknowledgement_sent_at' };
const notices = { notice: 'notice_sent_at', 'withdrawal-notice': 'withdrawal_notice_sent_at' };

const columns = 'sender, id, kind, order_id, created_at, due_at, attempts, error, done_at';
// The mail sender keeps a message to an unverified address back while its attempts are 0. The old columns decided that when the notice to
// the shop was sent, so messages before that begin with 0.
const isUndecided = `(order_mail_ended_at is null and notice_sent_at is null)
  or (withdrawn_at is not null and withdrawal_notice_sent_at is null)`;

/**
 * Takes over the mail of the orders and the events of webhooks: what waits, what was given up, and of the last 30 days what was sent or
 * kept back. Older mail has no state on the desk any more.
 */
export const up = statements(({ isPostgres, text }) => {
  const now = isPostgres ? 'extract(epoch from now())' : 'unixepoch()';
  const since = `cast((${now} - 2592000) * 1000 as bigint)`;
  const takeOver = ([kind, sent]: [kind: string, sent: string]) => {
    const isOfWithdrawal = kind === 'acknowledgement' || kind === 'withdrawal-notice';
    const tried = 'coalesce(mail_attempts, 0)';
    const attempts = `case when ${sent} is null and (${isUndecided}) then 0 else ${tried} end`;
    const happened = isOfWithdrawal
      ? 'withdrawn_at is not null'
      : `(order_mail_ended_at is null or ${sent} is not null)`;
    return `
      insert into outbox (${columns})
      select 'mail', id || '-${kind}', '${kind}', id, ${isOfWithdrawal ? 'withdrawn_at' : 'placed_at'},
        case when ${sent} is null then mail_due_at end, ${kind in buyers ? attempts : tried},
        case when ${sent} is null then mail_error end, ${sent}
      from orders
      where buyer_email <> '' and ${happened}
        and case when ${sent} is null and (mail_due_at is not null or mail_error is not null) then true
          else placed_at > ${since}
            and coalesce(${sent}, ${notices[isOfWithdrawal ? 'withdrawal-notice' : 'notice']}) is not null end`;
  };
  return [
    `create table outbox (
      sender ${text} not null, id ${text} not null, kind ${text} not null, order_id ${text} not null,
      created_at bigint not null, due_at bigint, attempts integer default 0 not null,
      error ${text}, done_at bigint, address_hash ${text},
      constraint outbox_pkey primary key (sender, id)
    )`,
    ...Object.entries({ ...buyers, ...notices }).map(takeOver),
    `insert into outbox (${columns})
      select 'webhooks', id, type, order_id, created_at, due_at, attempts, error, delivered_at
      from webhook_events where due_at is not null or created_at > ${since}`,
    'create index outbox_of_orders on outbox (order_id)',
    'create index outbox_due on outbox (sender, due_at) where due_at is not null',
    'create index outbox_unsent on outbox (sender, order_id) where due_at is null and done_at is null',
    'create index outbox_addresses on outbox (address_hash, done_at) where address_hash is not null',
    'drop table webhook_events',
    'drop table receipt_slots',
    'drop index orders_mail_due',
    'drop index orders_mail_failed',
    ...[
      ...Object.values({ ...buyers, ...notices }),
      ...['mail_due_at', 'mail_attempts', 'mail_error', 'order_mail_ended_at'],
    ].map((column) => `alter table orders drop column ${column}`),
  ];
});
