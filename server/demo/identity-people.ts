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

/** What was typed, with what is wrong with it by field. */
export type TypedPerson = Person & { faults: Partial<Record<keyof Person, string>> };

const longestName = 100;
/** RFC 5321's limit on a path, without its angle brackets. */
const longestEmail = 254;

/**
 * @param form `person` is the e-mail of a demo person; without it, `name` and `email` are what was typed.
 * @returns who was chosen, or what was typed when there is something wrong with it.
 */
export function readPerson(form: URLSearchParams): Person | TypedPerson {
  const demoPerson = demoPeople.find(({ email }) => email === form.get('person'));
  if (demoPerson) return demoPerson;
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
  return Object.keys(faults).length > 0 ? { name, email, faults } : { name, email };
}
