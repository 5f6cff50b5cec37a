import { ApiProblem } from '../api/client.ts';
import { withReason } from '../components/with-reason.ts';

/**
 * @param error of a change of the catalogue: an addition, a deletion or a restoration.
 * @returns the message for the admin: `fallback`, with the reason where there is one for an admin.
 */
export const catalogueErrorMessage = (error: Error, fallback: string): string => {
  const code = error instanceof ApiProblem ? error.code : '';
  if (code === 'NOT_ALLOWED') return refusal;
  return code === 'EMAIL_NOT_VERIFIED' ? `${refusal} ${error.message}` : withReason(fallback, error);
};

const refusal = 'This account may not change the catalogue.';
