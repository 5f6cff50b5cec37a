import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { batchedQuery } from './batched-query.ts';

const database = setUpSharedDatabase();

const insertKey = batchedQuery({
  columns: { id: 'text' },
  key: 'id',
  build: (db, items) =>
    db
      .insertInto('sign_in_attempts')
      .columns(['id', 'created_at'])
      .expression((keys) => keys.selectFrom(items).select(['id', sql`1`.as('created_at')]))
      .returning('id'),
});
const call = (id: string) => insertKey(database.db, { id }).then((row) => row?.id, String);

test('a lone call that another transaction was in the way of is sent again, three times in all', async () => {
  await sql`create sequence attempts`.execute(database.db);
  await sql`
    create function fail() returns trigger as $$ begin
      if nextval('attempts') < 3 or new.id = 'never' then
        raise exception 'in the way' using errcode = '40P01';
      end if;
      return new;
    end $$ language plpgsql
  `.execute(database.db);
  await sql`create trigger fail before insert on sign_in_attempts for each row execute function fail()`.execute(
    database.db,
  );

  expect([await call('late'), await call('never')]).toEqual(['late', expect.stringContaining('in the way')]);
  const { rows } = await sql`select last_value as attempts from attempts`.execute(database.db);
  expect(rows).toEqual([{ attempts: 6 }]);
});
