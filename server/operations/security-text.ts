import { paths } from '../../contract/paths.ts';

/** RFC 9116, section 2.5.5 advises less than a year. Each response has a new date, so it is never past. */
const validForMs = 180 * 24 * 60 * 60 * 1000;

/** @returns the contents of `/.well-known/security.txt` (RFC 9116). @param contact a `mailto:` or `https:` address. */
export function securityText(contact: string, publicUrl: URL): string {
  const fields = {
    Contact: contact,
    Expires: new Date(Date.now() + validForMs).toISOString(),
    Canonical: new URL(paths.securityContact, publicUrl).href,
    'Preferred-Languages': 'en',
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
