import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { Way, WaySettings } from '../../../contract/ways.ts';
import { act } from '../../access/act.ts';
import type { Db } from '../../database/tables.ts';
import * as ways from '../ways.ts';

const params = Part.SlugParams('The way’s id');
const presentAll = async (db: Db) => (await ways.listWays(db)).map(ways.presentWay);

export const listWays = act({
  method: 'GET',
  path: deskPaths.ways,
  operationId: 'listWaysOfShop',
  summary: 'Lists the ways to get a book, in the shop’s order',
  scope: 'catalogue',
  output: Type.Array(Way),
  run: ({ listDb }) => presentAll(listDb),
  commands: {
    'ways list': {
      line: ({ id, name, price, asksAddress, payOnCollection, line }, { format }) => {
        const terms = [asksAddress && ', to an address', payOnCollection && ', paid on collection'];
        const named = [name, ...terms.filter(Boolean)].join('');
        return [id, format(price.value).padStart(9), named, line || '-'];
      },
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
  input: { params, body: WaySettings },
  output: Type.Array(Way),
  problems: ['TOO_MANY_WAYS'],
  async run({ db, actor, onShelfChanged }, { params: { id }, body }) {
    await ways.setWay(db, id, body, actor);
    onShelfChanged();
    return await presentAll(db);
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
  input: { params },
  output: Type.Array(Way),
  problems: ['WAY_NOT_FOUND'],
  async run({ db, actor, onShelfChanged }, { params: { id } }) {
    await ways.removeWay(db, id, actor);
    onShelfChanged();
    return await presentAll(db);
  },
  commands: {
    'ways remove': { report: (_, { params }) => `The way ${params.id} is removed.` },
  },
});
