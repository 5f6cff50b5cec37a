/** The message of the sign-in popup to the page that opened it, when the sign-in attempt has ended. */
export type SignInOutcome = { signedIn: boolean };

/**
 * @param attempt the random id that the browser gives to one sign-in attempt.
 * @returns the name of the BroadcastChannel for the outcome of that attempt.
 */
export const signInChannel = (attempt: string) => `sign-in-${attempt}`;
