import { ApiProblem, isRateLimited, isUnreachable } from '../api/client.ts';
import { isOnline } from '../memory/platform.ts';

/** @returns the message, with the reason and what to do where the error tells them; with the request's id if the store has failed. */
export const withReason = (message: string, error: unknown): string => {
  if (isRateLimited(error)) return `${message} There were too many requests at once. Try again in a minute.`;
  // A proxy in front of the store gives its own failures no id.
  const requestId = error instanceof ApiProblem && error.status >= 500 ? error.requestId : undefined;
  if (requestId !== undefined) return `${message} (Request ${requestId})`;
  const problem = error instanceof ApiProblem ? error : undefined;
  // A field that is wrong, or an account that may not do it.
  const refusal = problem?.errors[0] ?? (problem?.status === 403 ? problem : undefined);
  if (refusal !== undefined) return `${message} ${refusal.message}`;
  if (!isUnreachable(error)) return message;
  return isOnline()
    ? `${message} The connection to the shop failed.`
    : `${message} This device has no connection to the internet.`;
};
