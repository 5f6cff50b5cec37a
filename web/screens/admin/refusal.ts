import { ApiProblem } from '../../api.ts';

/** Why a change of the catalogue was not made, in a sentence; `otherwise` says it for every passing reason. */
export const refusalOf = (error: Error, otherwise: string): string =>
  error instanceof ApiProblem && error.code === 'NOT_ALLOWED'
    ? 'This account may not change the catalogue.'
    : otherwise;
