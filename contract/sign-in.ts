/** What the sign-in popup says on its attempt's channel when it is done. */
export type SignInOutcome = { signedIn: boolean };

/** The name of the BroadcastChannel on which one attempt's outcome is told. */
export const signInChannel = (attempt: string) => `sign-in-${attempt}`;
