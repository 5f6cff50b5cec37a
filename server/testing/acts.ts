import { moneyIn } from '../../contract/price.ts';
import type { Shop } from '../access/act.ts';
import { type Actor, commandActor } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { noSenders } from '../outbox/record.ts';

/** @returns the shop in which the owner does an act on a test's database, with a command. */
export const shopOf = (db: Db, parts: Partial<Shop & { actor: Actor }> = {}): Shop & { actor: Actor } => ({
  ...{ db, listDb: db, zone: 'UTC', money: moneyIn('USD'), actor: commandActor },
  space: async () => ({ databaseBytes: 0 }),
  mail: {
    mode: 'sent',
    sender: {
      storeName: 'Colophon',
      timeZone: 'UTC',
      publicUrl: new URL('http://localhost:3000'),
      from: { name: '', address: 'shop@shop.example' },
    },
  },
  outbox: { senders: noSenders, wake() {} },
  payments: { settle: async () => undefined },
  onShelfChanged() {},
  ...parts,
});

/** @returns the input of an act on one item. */
export const about = <Body extends object>(id: string, body: Body = {} as Body) => ({
  params: { id },
  query: {},
  body,
});
