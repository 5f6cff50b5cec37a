import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { amountToCents, centsToAmount } from '../../../contract/money.ts';
import { tidyText } from '../../../contract/pasted-text.ts';
import { Way, WayParams, WaySettings } from '../../../contract/ways.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { fieldProblem, Problem } from '../../http/problems.ts';
import * as ways from '../ways.ts';

export const listWays = act({
  method: 'GET',
  path: deskPaths.ways,
  operationId: 'listWaysOfShop',
  summary: 'Lists the ways to get a book, in the shop’s order',
  scope: 'catalogue',
  output: Type.Array(Way),
  run: async ({ listDb }) => (await ways.listWays(listDb)).map(ways.presentWay),
  commands: {
    'ways list': {
      line: ({ id, name, price, asksAddress, payOnCollection, line }, { format }) => [
        id,
        format(price.value).padStart(9),
        [
          name,
          ...(asksAddress ? ['to an address'] : []),
          ...(payOnCollection ? ['paid on collection'] : []),
        ].join(', '),
        line || '-',
      ],
      whenEmpty: 'The shop has no ways to get a book.',
    },
  },
});

export const setWay = act({
  method: 'POST',
  path: deskPaths.way,
  operationId: 'setWay',
  summary: 'Adds a way to get a book, or replaces the way with its id',
  description: 'Orders keep the name and the price that they were placed with. The response has all ways.',
  scope: 'catalogue',
  limit: 'catalogue-changes',
  input: { params: WayParams, body: WaySettings },
  output: Type.Array(Way),
  problems: ['TOO_MANY_WAYS'],
  async run({ db, money, actor, onShelfChanged }, { params: { id }, body: { position, ...body } }) {
    const name = tidyText(body.name);
    const priceCents = amountToCents(body.price.value) ?? 0;
    if (!money.has(priceCents)) throw fieldProblem('price', 'The store’s currency has no decimals.');
    const way = {
      ...{ id, name, priceCents, line: tidyText(body.line ?? '') },
      asksAddress: Number(body.asksAddress ?? false),
      payOnCollection: Number(body.payOnCollection ?? false),
    };
    const all = await db.transaction().execute(async (db) => {
      await ways.setWay(db, way, position);
      const details = { name, price: centsToAmount(priceCents) };
      await recordActivity(db, 'way-set', actor, { subject: id, details });
      return await ways.listWays(db);
    });
    onShelfChanged();
    return all.map(ways.presentWay);
  },
  commands: {
    'ways set': {
      purpose:
        'Adds a way to get a book, or replaces the way with this ID. What is not given is off, or empty.',
      flags: {
        'asks-address': 'the checkout asks where to send the book',
        'pay-on-collection': 'the buyer pays when they collect the book',
      },
      given: ({ price, position, ...flags }) => ({
        price: { value: price },
        ...(position !== undefined && { position: Number(position) }),
        asksAddress: flags['asks-address'],
        payOnCollection: flags['pay-on-collection'],
      }),
      report: (_, { params }) => `The way ${params.id} is set.`,
    },
  },
});

export const removeWay = act({
  method: 'POST',
  path: deskPaths.wayRemove,
  operationId: 'removeWay',
  summary: 'Removes a way to get a book',
  description: 'Orders keep it. The response has the ways that are left.',
  scope: 'catalogue',
  limit: 'catalogue-changes',
  input: { params: WayParams },
  output: Type.Array(Way),
  problems: ['WAY_NOT_FOUND'],
  async run({ db, actor, onShelfChanged }, { params: { id } }) {
    const left = await db.transaction().execute(async (db) => {
      const removed = await db.deleteFrom('ways').where('id', '=', id).returning('name').executeTakeFirst();
      if (!removed) throw new Problem('WAY_NOT_FOUND');
      await recordActivity(db, 'way-removed', actor, { subject: id, details: removed });
      return await ways.listWays(db);
    });
    onShelfChanged();
    return left.map(ways.presentWay);
  },
  commands: {
    'ways remove': { report: (_, { params }) => `The way ${params.id} is removed.` },
  },
});
