import { ApiProblem, isRateLimited, isUnreachable } from '../api/client.ts';
import { isOnline } from '../memory/platform.ts';

/** @returns the message, with the reason and what to do if the error has them; with the request's id if the store has failed. */
export const withReason = (message: string, error: unknown): string => {
  if (isRateLimited(error)) return `${message} There were too many requests at once. Try again in a minute.`;
  const problem = error instanceof ApiProblem ? error : undefined;
  // A proxy in front of the store gives its own failures no id.
  if (problem?.requestId !== undefined && problem.status >= 500)
    return `${message} (Request ${problem.requestId})`;
  // The request was refused because a field is wrong, or the account may not do this.
  const refusal = problem?.errors[0] ?? (problem?.status === 403 ? problem : undefined);
  if (refusal !== undefined) return `${message} ${refusal.message}`;
  return isUnreachable(error) ? `${message} ${connectionProblem()}` : message;
};

export const connectionProblem = (): string =>
  isOnline() ? 'The connection to the shop failed.' : 'This device has no connection to the internet.';
