/** The message of the sign-in popup to the page that opened it, when the sign-in attempt has ended. */
export type SignInOutcome = { signedIn: boolean };

/** The pattern of the random name of a sign-in attempt; the browser makes one for each popup. */
export const attemptNamePattern = '^[A-Za-z0-9-]{8,64}$';

export const isAttemptName = (text: string): boolean => new RegExp(attemptNamePattern).test(text);

export const signInChannel = (attempt: string) => `sign-in-${attempt}`;
