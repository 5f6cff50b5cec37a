import { hash } from 'node:crypto';
import { foldEmail, isPlainEmail } from '../../contract/email.ts';

export type Person = { name: string; email: string };

export const demoPeople: readonly Person[] = [
  { name: 'Ada Marlowe', email: 'ada@example.com' },
  { name: 'Jun Nakagawa', email: 'jun@example.com' },
  { name: 'Zoë Lindqvist', email: 'zoe@example.com' },
];

/** A person has the same id for an e-mail address in any case, also after a restart. */
export const subOf = ({ email }: Person): string =>
  hash('sha256', foldEmail(email), 'base64url').slice(0, 22);

export type TypedPerson = Person & { faults: Partial<Record<keyof Person, string>> };

const maxNameLength = 100;
/** RFC 5321, section 4.5.3.1.3: a path has at most 256 octets, two of which are its angle brackets. */
const maxEmailLength = 254;

/** @param form `person` is the e-mail address of a demo person; without it, the visitor typed `name` and `email`. */
export function readPerson(form: URLSearchParams): Person | TypedPerson {
  const demoPerson = demoPeople.find(({ email }) => email === form.get('person'));
  if (demoPerson) return demoPerson;
  const name = (form.get('name') ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const email = (form.get('email') ?? '').trim();
  const faults: TypedPerson['faults'] = {};
  if (name === '') faults.name = 'Enter a name.';
  else if (name.length > maxNameLength) faults.name = `Use at most ${maxNameLength} characters.`;
  if (email === '') faults.email = 'Enter an e-mail address.';
  else if (email.length > maxEmailLength) faults.email = `Use at most ${maxEmailLength} characters.`;
  else if (!isPlainEmail(email)) faults.email = 'Enter an address such as reader@example.com.';
  return Object.keys(faults).length > 0 ? { name, email, faults } : { name, email };
}
