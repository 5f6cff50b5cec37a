/** The claims of OpenID Connect Core, section 5.1, that the store reads. */

import { maxAddressLength, tidyAddress } from '../../contract/delivery-address.ts';
import { isPlainEmail } from '../../contract/email.ts';
import { formats, isCleanText } from '../../contract/field-formats.ts';
import { tidyText } from '../../contract/pasted-text.ts';
import { SignInError } from './attempt-outcome.ts';

/** `(issuer, sub)` identifies a customer; the other fields may change. */
export type Identity = {
  issuer: string;
  sub: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  /** The address of the photo, which is https:, or empty. */
  photo: string;
};

export type Claims = { readonly [claim: string]: unknown };

const maxNameLength = 200;

function textIn(claims: Claims, claim: string): string {
  const value = claims[claim];
  return typeof value === 'string' && isCleanText(value) ? tidyText(value) : '';
}

export function identifierIn(claims: Claims, claim: string): string | undefined {
  const value = claims[claim];
  return typeof value === 'string' && value !== '' && isCleanText(value) ? value : undefined;
}

const isPresent = (claims: Claims, claim: string): boolean => (claims[claim] ?? undefined) !== undefined;

export const hasEmail = (idToken: Claims): boolean => isPresent(idToken, 'email');

/** @param idToken validated. @param userInfo of the same subject. An e-mail goes together with its `email_verified`. */
export function identityFrom(
  idToken: Claims & { iss: string; sub: string },
  userInfo: Claims = {},
): Identity {
  const issuer = idToken.iss;
  const sub = identifierIn(idToken, 'sub');
  // The limit of OpenID Connect Core, section 2: at most 255 characters.
  if (sub === undefined || sub.length > 255) {
    throw new SignInError('unusable_identity', 'the provider sent no usable subject');
  }
  const emailSource = hasEmail(idToken) ? idToken : userInfo;
  // The e-mail is not trimmed: white space around an admin's e-mail could make another person's address equal to it.
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

function isVerified(claims: Claims): boolean {
  if (!isPresent(claims, 'email_verified')) return false;
  const { email_verified: verified } = claims;
  // Some providers send this boolean as text, and .NET ones with a capital letter.
  if (verified === true || (typeof verified === 'string' && /^true$/i.test(verified))) return true;
  throw new SignInError('unverified_email', 'the provider reports the e-mail as unverified');
}

/** @returns the lines of an address: as the provider formatted them (section 5.1.1), or its parts in the order of most countries. */
export function addressFrom(idToken: Claims, userInfo: Claims = {}): string | null {
  const claim = idToken['address'] ?? userInfo['address'];
  if (typeof claim !== 'object' || claim === null) return null;
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

/** Cuts a name without splitting a character of two code units. */
function shorten(name: string): string {
  const cut = name.slice(0, maxNameLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
