/** How sign-in attempts end, for the log and the metrics. */

/** A closed list, because each one is a time series. */
export const attemptOutcomes = [
  'succeeded',
  /** The provider or the customer declined, for example by Cancel. */
  'declined',
  /** The callback belongs to no attempt of this browser: it is expired, finished already, or forged. */
  'unknown_attempt',
  /** The provider reports the e-mail as unverified. */
  'unverified_email',
  /** The shop has blocked the customer, or is erasing them. */
  'blocked_customer',
  /** The provider sent no usable e-mail or subject. */
  'unusable_identity',
  /** The callback does not fit its attempt, or the provider does not accept its code. */
  'invalid_response',
  /** The ID token is not the provider's, or not for this attempt. */
  'invalid_token',
  /** The provider does not accept the store's own credentials. */
  'client_refused',
  /** The provider did not respond in time, or not as OpenID Connect defines. */
  'provider_unreachable',
  /** The store failed. */
  'failed',
] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** A sign-in that did not succeed for a cause outside the store. Its message contains no personal data. */
export class SignInError extends Error {
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SignInError';
    this.outcome = outcome;
  }
}
