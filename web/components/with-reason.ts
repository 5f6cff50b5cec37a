import { ApiProblem, isRateLimited, isUnreachable } from '../api/client.ts';
import { isOnline } from '../memory/platform.ts';

/** @returns the message, with the store's own words if it has refused the call, and the request's id if the store has failed. */
export const withReason = (message: string, error: unknown): string => {
  if (isRateLimited(error)) return `${message} There were too many requests at once. Try again in a minute.`;
  if (isUnreachable(error)) return `${message} ${connectionProblem()}`;
  if (!(error instanceof ApiProblem)) return message;
  const { status, code, errors, requestId } = error;
  if (status < 500 && code !== 'UNKNOWN') return `${message} ${errors[0]?.message ?? error.message}`;
  // A proxy in front of the store gives its own failures no id.
  return requestId === undefined ? message : `${message} (Request ${requestId})`;
};

export const connectionProblem = (): string =>
  isOnline() ? 'The connection to the shop failed.' : 'This device has no connection to the internet.';
