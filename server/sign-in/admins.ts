import { foldEmail } from '../../contract/email.ts';
import type { AdminClaim } from './admin-claim.ts';
import type { Identity } from './identity.ts';

/** The settings that make admins. */
export type AdminPolicy = {
  /** `ADMIN_EMAILS`, as {@link foldEmail} returns them. */
  adminEmails: readonly string[];
  /** `ADMIN_CLAIM`. */
  adminClaim: AdminClaim | undefined;
};

/** A person who may be an admin. */
export type Candidate = Pick<Identity, 'email' | 'isEmailVerified'> & {
  /** The setting `ADMIN_CLAIM` that the session's sign-in fulfilled. Another one since makes no admin of it. */
  adminClaim?: string | null | undefined;
};

/** @returns true if the shop has named its admins. Otherwise every customer may change the catalogue (spec section 6). */
export const hasNamedAdmins = ({ adminEmails, adminClaim }: AdminPolicy): boolean =>
  adminEmails.length > 0 || adminClaim !== undefined;

/** @returns true if a setting names the customer: by an e-mail that the provider has verified, or by a claim. */
export const isNamedAdmin = (customer: Candidate, policy: AdminPolicy): boolean =>
  (customer.isEmailVerified && isListed(customer, policy)) ||
  (policy.adminClaim !== undefined && customer.adminClaim === policy.adminClaim.setting);

/** @returns true if the customer may change the catalogue. */
export const isAdmin = (customer: Candidate, policy: AdminPolicy): boolean =>
  !hasNamedAdmins(policy) || isNamedAdmin(customer, policy);

/** @returns true if `ADMIN_EMAILS` has the customer's e-mail, which the provider has not verified: it makes no admin. */
export const isListedUnverified = (customer: Candidate, policy: AdminPolicy): boolean =>
  !customer.isEmailVerified && isListed(customer, policy) && !isNamedAdmin(customer, policy);

const isListed = ({ email }: Candidate, { adminEmails }: AdminPolicy): boolean =>
  adminEmails.includes(foldEmail(email));
