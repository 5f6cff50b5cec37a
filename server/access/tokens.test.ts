import { expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import { paths } from '../../contract/paths.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { timeText } from '../database/times.ts';
import { emmaSent, readJson, shareTestStore } from '../testing/test-store.ts';
import { createToken, findToken, listTokens, revokeToken } from './tokens.ts';

const store = shareTestStore({ settings: { adminEmails: ['admin@example.com'] } });

const addBook = (secret: string, key?: string) =>
  store.call(paths.addBook, {
    json: emmaSent,
    headers: { authorization: `Bearer ${secret}`, ...(key && { 'idempotency-key': key }) },
  });

test('a script changes the catalogue with its token, which the audit trail names; a key adds one book for each script', async () => {
  const { db } = store.database;
  const [one, other] = [
    await createToken(db, { name: 'one', may: 'catalogue' }, commandActor),
    await createToken(db, { name: 'other', may: 'catalogue' }, commandActor),
  ];
  const idOf = async (secret: string) =>
    (await readJson<Book>(await addBook(secret, 'a-key-of-22-characters'), 201))._id;

  const first = await idOf(one);

  const { entries } = await listActivity(db, { limit: 3 });
  expect(entries).toMatchObject([
    { action: 'book-added', token: 'one', customerId: null, email: null, address: '127.0.0.1' },
    { action: 'token-created', subject: 'other' },
    { action: 'token-created', subject: 'one', details: { may: 'catalogue' }, address: 'command' },
  ]);
  expect(await idOf(one)).toBe(first);
  expect(await idOf(other)).not.toBe(first);
});

test('a token is stored as a hash alone, its use is recorded about once a minute, and a revoked token is none', async () => {
  const { db } = store.database;
  const secret = await createToken(db, { name: 'used', may: 'orders' }, commandActor);
  const now = Date.now();
  const lastUse = async () => (await listTokens(db)).find(({ name }) => name === 'used')?.lastUsedAt;

  expect(secret).toMatch(/^colophon_[\w-]{43}$/);
  const rows = await db.selectFrom('tokens').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secret.slice('colophon_'.length));
  expect(await findToken(db, secret, now)).toEqual({ name: 'used', may: 'orders' });
  await expect.poll(lastUse).toBe(timeText(now));
  await findToken(db, secret, now + 59_000);
  await findToken(db, secret, now + 61_000);
  await expect.poll(lastUse).toBe(timeText(now + 61_000));

  await revokeToken(db, 'used', commandActor);
  expect(await findToken(db, secret)).toBeUndefined();
  await expect(revokeToken(db, 'used', commandActor)).rejects.toThrow('can be revoked');
  expect((await addBook(secret)).headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  // A name cannot be used again, even after its token was revoked.
  const again = createToken(db, { name: 'used', may: 'orders' }, commandActor);
  await expect(again).rejects.toThrow('Choose another one.');
});
