import { ApiProblem } from '../../api/client.ts';

/**
 * @param error of a change of the catalogue: an addition, a deletion or a restoration.
 * @returns the message for the admin: `fallback`, unless the account may not change the catalogue.
 */
export const catalogueErrorMessage = (error: Error, fallback: string): string =>
  error instanceof ApiProblem && error.code === 'NOT_ALLOWED'
    ? 'This account may not change the catalogue.'
    : fallback;
