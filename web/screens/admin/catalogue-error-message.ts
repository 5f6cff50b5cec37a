import { ApiProblem } from '../../api/client.ts';
import { withReason } from '../../components/with-reason.ts';

/**
 * @param error of a change of the catalogue: an addition, a deletion or a restoration.
 * @returns the message for the admin: `fallback`, with the reason where there is one for an admin.
 */
export const catalogueErrorMessage = (error: Error, fallback: string): string =>
  error instanceof ApiProblem && error.code === 'NOT_ALLOWED'
    ? 'This account may not change the catalogue.'
    : withReason(fallback, error);
