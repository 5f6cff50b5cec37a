import { statements } from './statements.ts';

/** A row for each sign-in attempt that is under way, in place of keys that signed its cookie. */
export const up = statements(({ text }) => [
  `create table sign_in_attempts (
    id ${text} primary key, state ${text} default '' not null, nonce ${text} default '' not null,
    code_verifier ${text} default '' not null, return_to ${text} default '' not null,
    channel ${text} default '' not null, created_at bigint not null
  )`,
  'create index sign_in_attempts_created_at on sign_in_attempts (created_at)',
  'drop table attempt_keys',
]);
