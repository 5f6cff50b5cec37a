import { foldEmail } from '../../contract/email.ts';
import type { AdminClaim } from './admin-claim.ts';
import type { Identity } from './identity.ts';

export type AdminPolicy = {
  /** Folded, see {@link foldEmail}. */
  adminEmails: readonly string[];
  adminClaim: AdminClaim | undefined;
};

export type Candidate = Pick<Identity, 'email' | 'isEmailVerified'> & {
  /** The setting `ADMIN_CLAIM` that the session's sign-in fulfilled. Another one since makes no admin of it. */
  adminClaim?: string | null | undefined;
};

/** Where the shop has named none, every customer may change the catalogue (spec section 6). */
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
