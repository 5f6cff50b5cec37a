import { foldEmail } from '../../contract/email.ts';
import type { AdminClaim } from './admin-claim.ts';
import type { Identity } from './identity.ts';

export type AdminPolicy = {
  /** The admins' e-mails, folded (see {@link foldEmail}). */
  adminEmails: readonly string[];
  adminClaim: AdminClaim | undefined;
};

export type Candidate = Pick<Identity, 'email' | 'isEmailVerified'> & {
  /** The ADMIN_CLAIM that the session's sign-in fulfilled. If the setting has changed since, the session is no admin's. */
  adminClaim?: string | null | undefined;
};

/** If the shop names no admins, every customer may change the catalogue (spec section 6). */
export const hasNamedAdmins = ({ adminEmails, adminClaim }: AdminPolicy): boolean =>
  adminEmails.length > 0 || adminClaim !== undefined;

export const isNamedAdmin = (customer: Candidate, policy: AdminPolicy): boolean =>
  (customer.isEmailVerified && isListed(customer, policy)) ||
  (policy.adminClaim !== undefined && customer.adminClaim === policy.adminClaim.setting);

export const isAdmin = (customer: Candidate, policy: AdminPolicy): boolean =>
  !hasNamedAdmins(policy) || isNamedAdmin(customer, policy);

/** An e-mail that the provider has not verified makes no admin. */
export const isListedUnverified = (customer: Candidate, policy: AdminPolicy): boolean =>
  !customer.isEmailVerified && isListed(customer, policy) && !isNamedAdmin(customer, policy);

const isListed = ({ email }: Candidate, { adminEmails }: AdminPolicy): boolean =>
  adminEmails.includes(foldEmail(email));
