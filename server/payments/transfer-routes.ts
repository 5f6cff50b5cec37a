import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { OrderParams } from '../../contract/order.ts';
import { paymentPaths } from '../../contract/payments.ts';
import { Transfer } from '../../contract/transfer.ts';
import { signedInCustomer } from '../access/guards.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { findOrder } from '../orders/orders.ts';
import type { Settings } from '../settings/settings.ts';
import { epcCode, transferOf } from './transfer.ts';

type TransferParts = { db: Db; settings: Pick<Settings, 'transfer'> };

/** How to pay an order by transfer, where the shop has an account for it. */
export const transferRoutes: FastifyPluginAsyncTypebox<TransferParts> = async (app, { db, settings }) => {
  const { transfer: account } = settings;
  if (!account) return;
  const problems = problemResponses(
    400,
    401,
    'ORDER_NOT_FOUND',
    'ALREADY_PAID',
    'WITHDRAWN',
    'PAID_TOO_LATE',
  );

  /** @throws {Problem} if the order is not another customer's, and not to be paid. */
  const findTransfer = async (customerId: string, id: string): Promise<Transfer> => {
    const order = await findOrder(db, customerId, id);
    if (order.withdrawnAt !== null) throw new Problem('WITHDRAWN');
    if (order.paymentState === 'expired') throw new Problem('PAID_TOO_LATE');
    if (order.paymentState !== 'due') throw new Problem('ALREADY_PAID');
    const payment = db.selectFrom('payments').selectAll().where('order_id', '=', id);
    return transferOf(account, await payment.executeTakeFirstOrThrow());
  };

  app.get(
    paymentPaths.transfer.pattern,
    {
      config: { access: 'customer' },
      schema: {
        operationId: 'findTransfer',
        tags: ['orders'],
        summary: 'Returns what a transfer that pays an order needs',
        description: 'Only while the order is due.',
        params: OrderParams,
        response: { 200: Transfer, ...problems },
      },
    },
    async (request) => await findTransfer(signedInCustomer(request).id, request.params.id),
  );

  app.get(
    paymentPaths.transferCode.pattern,
    {
      config: { access: 'customer' },
      schema: {
        operationId: 'findTransferCode',
        tags: ['orders'],
        summary: 'Returns the transfer as a QR code that banking apps read',
        description: 'EPC069-12, in euros alone.',
        params: OrderParams,
        response: { 200: { content: { 'image/svg+xml': { schema: Type.Any() } } }, ...problems },
      },
    },
    async (request, reply) => {
      const { text } = await findTransfer(signedInCustomer(request).id, request.params.id);
      if (text === undefined) throw new Problem('NOT_FOUND');
      // The pages may have another origin of the same site.
      reply.type('image/svg+xml').header('cross-origin-resource-policy', 'same-site');
      return reply.send(epcCode(text));
    },
  );
};
