import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '../database/unavailable.ts';
import { asProblem } from '../http/error-handler.ts';
import type { Problem } from '../http/problems.ts';
import type { LineLimit } from '../http/request-log.ts';
import { type AttemptOutcome, SignInError } from './attempt-outcome.ts';

export type FailureParts = {
  /** Called once for each attempt that ends. */
  countSignIn(outcome: AttemptOutcome): void;
  /** Called for a sign-in that the database could not serve, with status 503. */
  onRefused(problem: Problem): void;
  /** True once the log has enough lines of an outcome in this second. */
  isBeyondLimit: LineLimit;
};

/** Logs and counts a failed sign-in, and sets 503 if the database was unavailable; the visitor sees nothing (spec section 8). */
export type FailSignIn = (request: FastifyRequest, reply: FastifyReply, error: unknown) => void;

export const openFailedSignIns =
  ({ countSignIn, onRefused, isBeyondLimit }: FailureParts): FailSignIn =>
  (request, reply, error) => {
    const outcome = error instanceof SignInError ? error.outcome : 'failed';
    if (error instanceof Error && isUnavailable(error)) {
      const problem = asProblem(error);
      onRefused(problem);
      reply.code(problem.status).header('retry-after', String(problem.retryAfterS));
    }
    const { ip } = request;
    countSignIn(outcome);
    if (isBeyondLimit('sign-in', outcome)) return;
    if (outcome === 'failed' && !isUnavailable(error)) {
      request.log.error({ outcome, ip, err: error }, 'a sign-in failed');
      return;
    }
    const { level, message } = reports[outcome] ?? { level: 'info', message: 'a sign-in did not succeed' };
    request.log[level]({ outcome, ip, reason: error instanceof Error ? error.message : undefined }, message);
  };

/** How outcomes are logged that the owner should know of. The others are the visitor's. */
const reports: Partial<Record<AttemptOutcome, { level: 'warn' | 'error'; message: string }>> = {
  client_refused: {
    level: 'error',
    message: 'the identity provider refuses the store: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
  },
  provider_unreachable: {
    level: 'warn',
    message: 'the identity provider could not be reached, or not be used',
  },
  failed: { level: 'warn', message: 'a sign-in failed' },
};
