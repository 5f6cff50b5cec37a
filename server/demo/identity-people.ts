/** Who can sign in with the demo provider: three people who are always there, or anyone who types a name and an e-mail. */

import { hash } from 'node:crypto';

export type Person = { name: string; email: string };

export const demoPeople: readonly Person[] = [
  { name: 'Ada Marlowe', email: 'ada@example.com' },
  { name: 'Jun Nakagawa', email: 'jun@example.com' },
  { name: 'Zoë Lindqvist', email: 'zoe@example.com' },
];

/** One address is one customer, also after a restart, however its letters are cased. */
export const subjectOf = ({ email }: Person): string =>
  hash('sha256', email.toLowerCase(), 'base64url').slice(0, 22);

/** What somebody typed, and what is wrong with it by field. */
export type TypedPerson = Person & { faults: Partial<Record<keyof Person, string>> };

const longestName = 100;
/** RFC 5321's limit on a path, without its angle brackets. */
const longestEmail = 254;

export function readTypedPerson(form: URLSearchParams): TypedPerson {
  const name = (form.get('name') ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const email = (form.get('email') ?? '').trim();
  const faults: TypedPerson['faults'] = {};

  if (name === '') faults.name = 'Enter a name.';
  else if ([...name].length > longestName) faults.name = `Use at most ${longestName} characters.`;

  if (email === '') faults.email = 'Enter an e-mail address.';
  else if (email.length > longestEmail) faults.email = `Use at most ${longestEmail} characters.`;
  else if (!/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email)) {
    faults.email = 'Enter an address such as reader@example.com.';
  }
  return { name, email, faults };
}
