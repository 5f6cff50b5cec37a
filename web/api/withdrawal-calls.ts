/** The buyer's call that takes an order back. It is not in queries.ts, which the home page loads. */
import type { WithdrawnOrder } from '../../contract/order.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { callApi } from './client.ts';

/** Withdraws an order; again it changes nothing. @throws {ApiProblem} TOO_LATE. */
export const withdrawOrder = async (id: string, reason: string): Promise<WithdrawnOrder> => {
  const json = reason.trim() ? { reason } : {};
  return (await callApi<WithdrawnOrder>(withdrawalPaths.order(id), { method: 'POST', json })).body;
};
