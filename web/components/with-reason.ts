import { isRateLimited } from '../api/client.ts';

/** @returns the message, with the reason and what to do when the store has refused a call as one of too many. */
export const withReason = (message: string, error: Error | null): string =>
  isRateLimited(error) ? `${message} There were too many requests at once. Try again in a minute.` : message;
