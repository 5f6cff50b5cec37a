/** `ADMIN_CLAIM`: a claim of the identity provider, such as a group or a role, that makes an admin. */

import { isCleanText } from '../../contract/field-formats.ts';
import type { Claims } from './identity.ts';

export type AdminClaim = {
  /** `groups:shop-admins`, for example. */
  setting: string;
  /** The name of a claim, or the names of nested ones with dots between them, such as `realm_access.roles`. */
  name: string;
  value: string;
};

const maxLength = 500;

/**
 * @param setting name, colon, value. The last colon counts: the names of some providers have colons (`cognito:groups`,
 * `https://shop.example/roles`).
 * @returns undefined for a text of another form.
 */
export function readAdminClaim(setting: string): AdminClaim | undefined {
  const colon = setting.lastIndexOf(':');
  const name = setting.slice(0, Math.max(colon, 0)).trim();
  const value = setting.slice(colon + 1).trim();
  const isUsable = name !== '' && value !== '' && !/\s/.test(name) && isCleanText(setting);
  return isUsable && setting.length <= maxLength ? { setting: `${name}:${value}`, name, value } : undefined;
}

/**
 * Finds a claim by its whole name first: some providers have names with dots. Then each dot leads into an object.
 * @returns undefined when there is none. A null counts as none (OpenID Connect Core, section 5.3.2).
 */
export function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name] ?? undefined;
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Claims)[part];
  }
  return found ?? undefined;
}

/**
 * @returns true if the claim is the text, or an array that has it. The comparison is exact, and any other kind of claim is
 * not the admins'. A provider's response has a maximum size, and so has the array.
 */
export function hasAdminClaim(claims: Claims, { name, value }: AdminClaim): boolean {
  const claim = findClaim(claims, name);
  return Array.isArray(claim) ? claim.includes(value) : claim === value;
}
