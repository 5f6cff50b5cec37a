import { foldEmail } from '../../contract/email.ts';
import type { Identity } from './identity.ts';

/**
 * @param adminEmails as {@link foldEmail} returns them.
 * @returns whether the setting names the customer: by an e-mail that the provider has verified.
 */
export const isNamedAdmin = (
  { email, isEmailVerified }: Pick<Identity, 'email' | 'isEmailVerified'>,
  adminEmails: readonly string[],
): boolean => isEmailVerified && adminEmails.includes(foldEmail(email));

/** Whether the customer may change the catalogue. With no `adminEmails`, every customer may (spec section 6). */
export const isAdmin = (customer: Identity, adminEmails: readonly string[]): boolean =>
  adminEmails.length === 0 || isNamedAdmin(customer, adminEmails);
