import { isRateLimited, isUnreachable } from '../api/client.ts';

/** @returns the message, with the reason and what to do where the error tells them. */
export const withReason = (message: string, error: unknown): string => {
  if (isRateLimited(error)) return `${message} There were too many requests at once. Try again in a minute.`;
  if (!navigator.onLine) return `${message} This device has no connection to the internet.`;
  return isUnreachable(error) ? `${message} The connection to the shop failed.` : message;
};
