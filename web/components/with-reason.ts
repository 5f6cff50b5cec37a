import { ApiProblem, isRateLimited, isUnreachable } from '../api/client.ts';

/** @returns the message, with the reason and what to do where the error tells them; with the request's id if the store failed. */
export const withReason = (message: string, error: unknown): string => {
  if (isRateLimited(error)) return `${message} There were too many requests at once. Try again in a minute.`;
  if (error instanceof ApiProblem && error.status >= 500) return `${message} (Request ${error.requestId})`;
  if (!isUnreachable(error)) return message;
  return navigator.onLine
    ? `${message} The connection to the shop failed.`
    : `${message} This device has no connection to the internet.`;
};
