import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { isStorableText, Term } from '../../contract/field-formats.ts';
import { OrderParams } from '../../contract/order.ts';
import { screens } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import * as Part from '../../contract/schema-parts.ts';
import { Transfer } from '../../contract/transfer.ts';
import { signedInCustomer } from '../access/guards.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { LineLimit } from '../http/request-log.ts';
import { bytesResponse, described, problemResponses } from '../http/route-schemas.ts';
import { findOrder } from '../orders/orders.ts';
import type { Settings } from '../settings/settings.ts';
import type { Payments } from './open.ts';
import { checkDue } from './payments.ts';
import { epcCode, transferOf } from './transfer.ts';

const sweepMs = 60_000;
/** The buyer waits at most so long for the provider; the order's page shows the payment later otherwise. */
const returnMs = 5_000;
const stopMs = 3_000;
/** Stripe's events have some kilobytes. */
const maxBodyBytes = 256 * 1024;

const refusals = ['ORDER_NOT_FOUND', 'ALREADY_PAID', 'PAID_TOO_LATE', 'WITHDRAWN'] as const;

type PaymentRoutesParts = {
  db: Db;
  payments: Payments;
  settings: Pick<Settings, 'transfer'>;
  isBeyondLimit: LineLimit;
};

/** Paying on the page of a provider: there, back, and what the provider tells meanwhile; and by transfer. */
export const paymentRoutes: FastifyPluginAsyncTypebox<PaymentRoutesParts> = async (app, parts) => {
  const { db, payments } = parts;
  await app.register(webhookRoutes, parts);
  await app.register(transferRoutes, parts);
  const stopping = new AbortController();
  let sweeping = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping.then(() => payments.sweep(stopping.signal));
  }, sweepMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stopping.abort();
    // A call to a provider may take longer than a stop may. What it was for is settled after the next start.
    await Promise.race([sweeping, pause(stopMs, undefined, { ref: false })]);
  });

  app.post(
    paymentPaths.pay.pattern,
    {
      config: { access: 'customer', limit: 'payments' },
      schema: {
        ...described('orders', 'payOrder', 'Opens the page of a provider, to pay an order'),
        description:
          'While the page is open, another call has the same one. `TOO_LATE`: the days to pay are over.',
        params: OrderParams,
        body: Part.Named(
          'Paying',
          { with: Term({ maxLength: 20, description: 'One of the `ways` of the order’s payment.' }) },
          { with: 'stripe' },
        ),
        response: {
          201: Part.Named('PaymentPage', { url: Part.Text('The page of the provider.') }),
          ...problemResponses(400, 401, 403, 415, 429, 503, ...refusals),
        },
      },
    },
    async (request, reply) => {
      const order = await findOrder(db, signedInCustomer(request).id, request.params.id);
      return reply.code(201).send({ url: await payments.pay(order, request.body.with) });
    },
  );

  app.get(
    paymentPaths.done.pattern,
    {
      config: { access: 'public', limit: 'payments' },
      schema: {
        ...described(
          'orders',
          'comeBack',
          'Settles the payment of a buyer who comes back, and leads to the order',
        ),
        description: 'The address that a provider has for the buyer. It tells nothing about the order.',
        params: OrderParams,
        response: { 303: { description: 'To the page of the order.' }, ...problemResponses(400, 429) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const order = await db.selectFrom('orders').select('number').where('id', '=', id).executeTakeFirst();
      if (order) {
        const settled = payments.settle(order.number, 'return').catch((err: unknown) => {
          request.log.warn({ err }, 'the payment of a buyer who has come back could not be settled');
        });
        await Promise.race([settled, pause(returnMs, undefined, { ref: false })]);
      }
      return reply.header('cache-control', 'no-store').redirect(screens.order(id), 303);
    },
  );
};

/** Bodies are read as text here: a signature is of their bytes. */
const webhookRoutes: FastifyPluginAsyncTypebox<PaymentRoutesParts> = async (
  app,
  { db, payments: { providers, counts, settle }, isBeyondLimit },
) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, String(body)));

  app.post(
    paymentPaths.webhook.pattern,
    {
      bodyLimit: maxBodyBytes,
      config: { access: 'public', limit: 'payment-webhooks' },
      schema: {
        ...described('orders', 'hearOfPayment', 'Lets a provider tell that a payment has changed'),
        description:
          'Only the id is read, after a signature where the provider signs; then the provider is asked.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        params: Type.Object({ provider: Term({ maxLength: 20 }) }),
        response: {
          200: { description: 'It was heard.' },
          ...problemResponses(400, 429, 503, 'NOT_FOUND', 'BODY_TOO_LARGE'),
        },
      },
    },
    async (request, reply) => {
      const provider = providers.get(request.params.provider);
      if (!provider) throw new Problem('NOT_FOUND');
      const body = typeof request.body === 'string' ? request.body : '';
      const id = await provider.idOf(body, request.headers).catch((cause: unknown) => {
        counts.webhooks.refused += 1;
        if (!isBeyondLimit(`webhook of ${provider.name}`))
          request.log.warn({ err: cause }, 'a webhook of a payment was refused');
        throw new Problem('MALFORMED_BODY', { detail: 'The signature is not the provider’s.' });
      });
      try {
        const reference = id !== undefined && isStorableText(id) ? await findReference(db, id) : undefined;
        if (reference !== undefined) await settle(reference, 'webhook');
        counts.webhooks[reference === undefined ? 'ignored' : 'settled'] += 1;
      } catch (error) {
        counts.webhooks.failed += 1;
        throw error;
      }
      return reply.code(200).send();
    },
  );
};

async function findReference(db: Db, id: string): Promise<string | undefined> {
  const charge = await db
    .selectFrom('charges')
    .select('reference')
    .where(({ or, eb }) => or([eb('id', '=', id), eb('intent', '=', id)]))
    .limit(1)
    .executeTakeFirst();
  return charge?.reference;
}

/** Paying by transfer, where the shop has an account for it. */
const transferRoutes: FastifyPluginAsyncTypebox<PaymentRoutesParts> = async (app, { db, settings }) => {
  const { transfer: account } = settings;
  if (!account) return;
  const problems = problemResponses(400, 401, ...refusals);
  const findTransfer = async (customerId: string, id: string): Promise<Transfer> => {
    const order = await findOrder(db, customerId, id);
    checkDue(order.paymentState, order);
    return transferOf(account, order);
  };

  app.get(
    paymentPaths.transfer.pattern,
    {
      config: { access: 'customer' },
      schema: {
        ...described('orders', 'findTransfer', 'Returns what a transfer that pays an order needs'),
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
        ...described(
          'orders',
          'findTransferCode',
          'Returns the transfer as a QR code that banking apps read',
        ),
        description: 'EPC069-12, in euros alone.',
        params: OrderParams,
        response: { 200: bytesResponse('image/svg+xml'), ...problems },
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
