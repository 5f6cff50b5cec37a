import { ApiProblem } from '../../api/client.ts';

/** Why a change of the catalogue was not made, in a sentence; `otherwise` says it for every passing reason. */
export const errorMessage = (error: Error, otherwise: string): string =>
  error instanceof ApiProblem && error.code === 'NOT_ALLOWED'
    ? 'This account may not change the catalogue.'
    : otherwise;
