/** How sign-in attempts end (docs/providers.md). A closed list, because each one is a time series. */
export const attemptOutcomes = [
  'succeeded',
  'declined',
  'unknown_attempt',
  'unverified_email',
  'blocked_customer',
  'unusable_identity',
  'invalid_response',
  'invalid_token',
  'client_refused',
  'provider_unreachable',
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
