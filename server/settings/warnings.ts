import { isLoopback } from '../http/loopback.ts';
import { hasNamedAdmins } from '../sign-in/admins.ts';
import type { Environment } from './reader.ts';
import type { Settings } from './settings.ts';

/** Demo mode has few warnings, because only this machine can reach it. */
export function settingsWarnings(settings: Settings, env: Environment): string[] {
  const { identity, publicUrl, hasRateLimits, database } = settings;
  const warnings: string[] = [];
  if (!hasRateLimits) warnings.push('RATE_LIMITS is off: one client can overload the store.');
  const { url, directUrl } = database.engine === 'postgres' ? database : {};
  for (const [name, address] of Object.entries({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl })) {
    if (address === undefined || isPrivateConnection(address)) continue;
    warnings.push(`${name} has no sslmode=verify-full: others on the network can read and change the data.`);
  }
  if (identity.mode === 'demo') return warnings;
  if (!hasNamedAdmins(settings))
    warnings.push('ADMIN_EMAILS is unset, and ADMIN_CLAIM: any signed-in user may change the catalogue.');
  if (publicUrl.protocol === 'http:' && !isLoopback(publicUrl.hostname))
    warnings.push('PUBLIC_URL is http: sessions and orders can be read and changed on the network.');
  if (!settings.mail) warnings.push('MAIL_URL is unset: no mail tells a buyer, or you, of an order.');
  if (!env['TIME_ZONE']?.trim())
    warnings.push('TIME_ZONE is unset: the days of the shop begin at midnight UTC.');
  return warnings;
}

/** Only verify-full is safe: some other modes of `pg` skip the check of the certificate, and others change their meaning in its next version. */
function isPrivateConnection(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname;
  // The second host is the folder of a socket, which an address must percent-encode.
  const isHere = host === '' || /^(\/|%2f)/i.test(host) || isLoopback(host);
  return isHere || searchParams.get('sslmode') === 'verify-full';
}
