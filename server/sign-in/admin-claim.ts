/** `ADMIN_CLAIM`: a claim of the identity provider, such as a group or a role, that makes an admin. */

import { isCleanText } from '../../contract/field-formats.ts';
import type { Claims } from './identity.ts';

export type AdminClaim = {
  setting: string;
  /** Dots in the name lead into objects, as in `realm_access.roles`. */
  name: string;
  value: string;
};

const maxLength = 500;

/** Reads a name and a value, separated by the last colon: some providers' names contain colons (`cognito:groups`, `https://shop.example/roles`). */
export function readAdminClaim(setting: string): AdminClaim | undefined {
  const colon = setting.lastIndexOf(':');
  const name = setting.slice(0, Math.max(colon, 0)).trim();
  const value = setting.slice(colon + 1).trim();
  const isUsable = name !== '' && value !== '' && !/\s/.test(name) && isCleanText(setting);
  return isUsable && setting.length <= maxLength ? { setting: `${name}:${value}`, name, value } : undefined;
}

/** Finds a claim, first by its whole name, because some names contain dots. Null means no claim (OpenID Connect Core, section 5.3.2). */
export function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name] ?? undefined;
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Claims)[part];
  }
  return found ?? undefined;
}

export function hasAdminClaim(claims: Claims, { name, value }: AdminClaim): boolean {
  const claim = findClaim(claims, name);
  return Array.isArray(claim) ? claim.includes(value) : claim === value;
}
