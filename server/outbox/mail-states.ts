import { sql } from 'kysely';
import type { Db, Tables } from '../database/tables.ts';

/** `given-up`: the store no longer tries to send a message. `unverified`: the buyer's message was kept back, because its address is unverified. */
export type MailState = 'waiting' | 'sent' | 'given-up' | 'unverified';

/** @returns the state of the mail of an order; undefined for one without mail, such as from before mail was set up. */
export function mailState(
  messages: readonly Pick<Tables['outbox'], 'due_at' | 'error' | 'done_at'>[],
): MailState | undefined {
  if (messages.length === 0) return undefined;
  if (messages.some(({ due_at }) => due_at !== null)) return 'waiting';
  if (messages.some(({ error }) => error !== null)) return 'given-up';
  return messages.some(({ done_at }) => done_at === null) ? 'unverified' : 'sent';
}

const stateOfGroup = sql<MailState>`case when count(due_at) > 0 then 'waiting' when count(error) > 0 then 'given-up'
  when count(done_at) < count(*) then 'unverified' else 'sent' end`;

export function ordersWithMail(db: Db, state: MailState | 'all') {
  const mail = db.selectFrom('outbox').select('order_id as id').where('sender', '=', 'mail');
  if (state === 'all') return mail;
  const ofState = mail.groupBy('order_id').having(stateOfGroup, '=', state);
  // Only few messages are unsent, so the others need no grouping.
  const unsent = db.selectFrom('outbox').select('order_id').where('done_at', 'is', null);
  return state === 'sent' ? ofState : ofState.where('order_id', 'in', unsent);
}
