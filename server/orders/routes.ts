import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { tidyAddress } from '../../contract/delivery-address.ts';
import { IdempotencyHeaders } from '../../contract/idempotency-key.ts';
import { amountToCents } from '../../contract/money.ts';
import { nextPageLink } from '../../contract/next-page.ts';
import * as contract from '../../contract/order.ts';
import { tidyLines } from '../../contract/pasted-text.ts';
import { paths } from '../../contract/paths.ts';
import type { Money } from '../../contract/price.ts';
import { Way } from '../../contract/ways.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { isEmailOf, signedInCustomer } from '../access/guards.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { Db } from '../database/tables.ts';
import { acceptNoBody } from '../http/bodies.ts';
import { Problem } from '../http/problems.ts';
import { described, problemResponses } from '../http/route-schemas.ts';
import type { Outbox } from '../outbox/record.ts';
import type { Settings } from '../settings/settings.ts';
import { type CookiePolicy, readSessionId } from '../sign-in/session-cookie.ts';
import { findSessionAddress, hashOfSession } from '../sign-in/sessions.ts';
import { listWays, presentWay } from '../ways/ways.ts';
import { correctAddress, findLastAddress } from './delivery-address.ts';
import { insertOrders, type OrderToInsert } from './insert-orders.ts';
import { findOrder, listOrders, presentListedOrder, presentOrder } from './orders.ts';
import { placeOrder } from './place-order.ts';
import { withdrawOrder } from './withdrawal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The order that the request has placed, for the log and a counter. */
    orderId?: string;
  }
}

const ofChanges = [400, 401, 403, 415, 429] as const;
const ofPurchases = [
  ...ofChanges,
  422,
  'BOOK_GONE',
  'PRICE_CHANGED',
  'SOLD_OUT',
  'ORDERED_BOOK_CHANGED',
  'WAY_MISSING',
  'DELIVERY_CHANGED',
] as const;

type OrderParts = {
  db: Db;
  cookies: CookiePolicy;
  catalogueVersion: CatalogueVersion;
  settings: Pick<Settings, 'hasDelivery' | 'withdrawalDays' | 'payments'>;
  outbox: Outbox;
  money: Money;
};

/** The spec's section 7: `POST /addOrder` and `GET /allOrder/{email}`; and the later acts of a buyer on an order. */
export const orderRoutes: FastifyPluginAsyncTypebox<OrderParts> = async (
  app,
  { db, cookies, catalogueVersion, settings: { hasDelivery, withdrawalDays, payments }, outbox, money },
) => {
  const onShelfChanged = catalogueVersion.recordLocalChange;
  const insertTogether = groupCommit((orders: readonly OrderToInsert[]) =>
    insertOrders(db, orders, outbox.senders, payments),
  );
  app.post(
    paths.addOrder,
    {
      config: { access: 'customer', limit: 'orders' },
      schema: {
        ...described('orders', 'placeOrder', 'Buys one book'),
        description:
          'The buyer is the customer of the session, and the order keeps the book’s title, author and price as they are now. A ' +
          'book is sold at the price that the customer saw, or not at all: `PRICE_CHANGED` says what it costs now. With `bookId` it is ' +
          'that very book: `BOOK_CHANGED` says what it is called now. An order of a book that has a number of copies takes one.',
        headers: IdempotencyHeaders,
        body: contract.NewOrder,
        response: { 201: contract.Order, ...problemResponses(...ofPurchases) },
      },
    },
    async (request, reply) => {
      const customer = signedInCustomer(request);
      const { email, title, author, price, time, bookId, deliveryAddress = '' } = request.body;
      const { way, total, gift } = request.body;
      if (email !== undefined && !isEmailOf(customer, email)) throw new Problem('NOT_ALLOWED');
      const priceCents = amountToCents(price) ?? 0;
      const address = hasDelivery ? tidyAddress(deliveryAddress) : null;
      const delivery = {
        deliveryAddress: address,
        wayId: way,
        totalCents: total === undefined ? undefined : Math.round(total * 100),
        gift: gift ? tidyLines(gift.text ?? '') : null,
      };
      const wanted = { title, author, time, bookId, priceCents, ...delivery };
      const order = await placeOrder(db, customer, wanted, {
        idempotencyKey: request.headers['idempotency-key'],
        session: hashOfSession(readSessionId(request, cookies) ?? ''),
        withdrawalDays,
        money,
        senders: outbox.senders,
        payments,
        insertTogether,
        onShelfChanged,
      });
      outbox.wake();
      request.orderId = order.id;
      return reply.code(201).send(presentOrder(order, payments.ways));
    },
  );

  app.post(
    withdrawalPaths.order.pattern,
    {
      config: { access: 'customer', limit: 'orders' },
      schema: {
        ...described('orders', 'withdrawOrder', 'Withdraws from the contract for a book'),
        description:
          'The buyer can do so until the end of the days that the order keeps for it, counted from the day (UTC) on which it was sent: ' +
          'then `TOO_LATE`. A repeated call changes nothing, and has the same response. A body may be left out.',
        params: contract.OrderParams,
        body: contract.Withdrawal,
        response: {
          200: contract.WithdrawnOrder,
          ...problemResponses(...ofChanges, 'ORDER_NOT_FOUND', 'TOO_LATE'),
        },
      },
      preValidation: acceptNoBody,
    },
    async (request) => {
      const { params, body } = request;
      const withdrawal = { ...body, senders: outbox.senders };
      const withdrawn = await withdrawOrder(db, signedInCustomer(request), params.id, withdrawal);
      onShelfChanged();
      outbox.wake();
      return withdrawn;
    },
  );

  app.get(
    paths.ways,
    {
      config: { access: 'public', limit: 'orders' },
      schema: {
        ...described('orders', 'listWays', 'Lists the ways to get a book, in the shop’s order'),
        description: 'Without any, an order needs no `way`.',
        response: { 200: Type.Array(Way), ...problemResponses(429) },
      },
    },
    async () => (await listWays(db)).map(presentWay),
  );

  app.get(
    paths.allOrder.pattern,
    {
      config: { access: 'owner' },
      schema: {
        ...described('orders', 'listOrders', 'Lists the orders of a customer, newest first'),
        description: 'When more orders may follow, `Link` names the next page.',
        params: contract.OrdersParams,
        querystring: contract.OrdersQuery,
        response: { 200: Type.Array(contract.Order), ...problemResponses(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const { id } = signedInCustomer(request);
      const { orders, nextCursor } = await listOrders(db, id, query);
      if (nextCursor) reply.header('link', nextPageLink(paths.allOrder(params.email), query, nextCursor));
      return orders.map((order) => presentListedOrder(order, payments.ways));
    },
  );

  app.get(
    paths.order.pattern,
    {
      config: { access: 'customer' },
      schema: {
        ...described('orders', 'findOwnOrder', 'Returns one order of the customer'),
        description: 'As the list has it. Another customer’s order is `ORDER_NOT_FOUND` too.',
        params: contract.OrderParams,
        response: { 200: contract.Order, ...problemResponses(400, 401, 'ORDER_NOT_FOUND') },
      },
    },
    async (request) =>
      presentListedOrder(await findOrder(db, signedInCustomer(request).id, request.params.id), payments.ways),
  );

  if (!hasDelivery) return;

  app.get(
    paths.address,
    {
      config: { access: 'customer' },
      schema: {
        ...described('orders', 'findAddress', 'Returns the address that a checkout begins with, or null'),
        description:
          'The address that the customer has given last; otherwise the `address` claim of the identity provider, where it sends one.',
        response: { 200: contract.KnownAddress, ...problemResponses(401) },
      },
    },
    async (request, reply) => {
      const { id } = signedInCustomer(request);
      const sessionId = readSessionId(request, cookies) ?? '';
      const deliveryAddress = (await findLastAddress(db, id)) ?? (await findSessionAddress(db, sessionId));
      reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
      return reply.send(deliveryAddress === null ? null : { deliveryAddress });
    },
  );

  app.patch(
    paths.order.pattern,
    {
      config: { access: 'customer', limit: 'orders' },
      schema: {
        ...described('orders', 'correctAddress', 'Changes where an order is sent'),
        description:
          'The buyer can do so until it is marked as sent or withdrawn: then `ALREADY_SENT` or `WITHDRAWN`.',
        params: contract.OrderParams,
        body: contract.AddressCorrection,
        response: {
          200: contract.Order,
          ...problemResponses(
            ...ofChanges,
            'ORDER_NOT_FOUND',
            'CUSTOMER_NOT_FOUND',
            'ALREADY_SENT',
            'WITHDRAWN',
          ),
        },
      },
    },
    async (request) => {
      const { deliveryAddress } = request.body;
      const customer = signedInCustomer(request);
      const order = await correctAddress(db, customer, request.params.id, deliveryAddress);
      return presentOrder(order, payments.ways);
    },
  );
};
