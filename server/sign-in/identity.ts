/** Reads who signed in from what the provider sent (OpenID Connect Core, section 5.1). */

import { maxAddressLength, tidyAddress } from '../../contract/delivery-address.ts';
import { isPlainEmail } from '../../contract/email.ts';
import { formats, isCleanText } from '../../contract/field-formats.ts';
import { tidyText } from '../../contract/pasted-text.ts';
import { SignInError } from './attempt-outcome.ts';

/** A person at an identity provider. `(issuer, sub)` identifies a customer; the other fields may change. */
export type Identity = {
  issuer: string;
  sub: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  /** An https: address, or empty. */
  photo: string;
};

/** A document with claims: the ID token, or the response of the userinfo endpoint. */
export type Claims = { readonly [claim: string]: unknown };

const maxNameLength = 200;

/** @returns the text of a claim; empty when it is absent, or cannot be stored and shown as it is. */
function textIn(claims: Claims, claim: string): string {
  const value = claims[claim];
  return typeof value === 'string' && isCleanText(value) ? tidyText(value) : '';
}

/** @returns a claim that identifies something, exactly as it is; undefined unless it is clean text. */
export function identifierIn(claims: Claims, claim: string): string | undefined {
  const value = claims[claim];
  return typeof value === 'string' && value !== '' && isCleanText(value) ? value : undefined;
}

/** A null counts as absent: a provider should not send one (section 5.3.2). */
const isPresent = (claims: Claims, claim: string): boolean => (claims[claim] ?? undefined) !== undefined;

/** @returns true if the ID token has an e-mail. Otherwise userinfo may. */
export const hasEmail = (idToken: Claims): boolean => isPresent(idToken, 'email');

/**
 * @param idToken validated: the issuer and the subject are its own.
 * @param userInfo of the same subject. An e-mail counts with the `email_verified` of the document that it came from.
 * @throws {SignInError} for a subject or an e-mail that cannot be used, and for an e-mail that is not verified.
 */
export function identityFrom(
  idToken: Claims & { iss: string; sub: string },
  userInfo: Claims = {},
): Identity {
  const issuer = idToken.iss;
  const sub = identifierIn(idToken, 'sub');
  // OpenID Connect Core, section 2: at most 255 characters.
  if (sub === undefined || sub.length > 255) {
    throw new SignInError('unusable_identity', 'the provider sent no usable subject');
  }
  const emailSource = hasEmail(idToken) ? idToken : userInfo;
  // As it is: white space around an admin's e-mail would make another person's address the admin's.
  const email = identifierIn(emailSource, 'email');
  if (email === undefined || !isPlainEmail(email) || email.length > 320) {
    throw new SignInError('unusable_identity', 'the provider sent no usable e-mail');
  }
  const textOf = (claim: string) => textIn(idToken, claim) || textIn(userInfo, claim);
  const photo = textOf('picture');
  const givenAndFamily = `${textOf('given_name')} ${textOf('family_name')}`.trim();
  return {
    issuer,
    sub,
    email,
    isEmailVerified: isVerified(emailSource),
    name: shorten(textOf('name') || givenAndFamily || textOf('preferred_username') || email),
    photo: photo.startsWith('https://') && URL.canParse(photo) && photo.length <= 2000 ? photo : '',
  };
}

/** @returns false when the provider does not report it. @throws {SignInError} unless it reports true. */
function isVerified(claims: Claims): boolean {
  if (!isPresent(claims, 'email_verified')) return false;
  const { email_verified: verified } = claims;
  // Some providers send the boolean as text, those in .NET with a capital.
  if (verified === true || (typeof verified === 'string' && /^true$/i.test(verified))) return true;
  throw new SignInError('unverified_email', 'the provider reports the e-mail as unverified');
}

/**
 * @returns where the person lives, in lines (OpenID Connect Core, section 5.1.1): as the provider has formatted it, or its parts in the
 * order of most countries; null where there is none, or none that can be stored.
 */
export function addressFrom(idToken: Claims, userInfo: Claims = {}): string | null {
  const claim = idToken['address'] ?? userInfo['address'];
  if (typeof claim !== 'object' || claim === null) return null;
  // Its members are claims as well.
  const address = claim as Claims;
  const linesOf = (...names: string[]) =>
    names.map((name) => (typeof address[name] === 'string' ? address[name] : '')).join(' ');
  const parts = ['street_address', 'postal_code locality', 'region', 'country'];
  const text =
    tidyAddress(linesOf('formatted')) ??
    tidyAddress(parts.map((part) => linesOf(...part.split(' '))).join('\n'));
  const isUsable = text !== null && text.length <= maxAddressLength && formats['lines']?.check(text, '');
  return isUsable ? text : null;
}

/** Cuts a name, but not a character that consists of two code units. */
function shorten(name: string): string {
  const cut = name.slice(0, maxNameLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
