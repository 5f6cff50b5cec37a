/** The acts of the owner as commands: `shop orders note` derives from the act of the desk's call. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type TObject, Type } from 'typebox';
import { counted } from '../contract/counted.ts';
import type { DeskCustomer } from '../contract/desk/customers.ts';
import { MarkOrders } from '../contract/desk/orders.ts';
import { maxPageSize } from '../contract/next-page.ts';
import { OrderParams } from '../contract/order.ts';
import { type Money, moneyIn } from '../contract/price.ts';
import {
  type Act,
  type ActCommand,
  Answer,
  type ExportFile,
  type Shop,
  type ValueAct,
} from '../server/access/act.ts';
import { type Actor, commandActor } from '../server/activity/activity.ts';
import { findCustomersByEmail } from '../server/customers/customers.ts';
import { writeWhole } from '../server/database/whole-file.ts';
import { checkValue } from '../server/http/bodies.ts';
import { openLog } from '../server/http/log.ts';
import { Problem } from '../server/http/problems.ts';
import { openPayments } from '../server/payments/open.ts';
import { StartError } from '../server/start-error.ts';
import * as option from '../tools/options.ts';
import {
  type Command,
  command,
  grouped,
  type Io,
  json,
  printLine,
  type Result,
  UsageError,
} from './command.ts';
import { shopSettings, withDatabase } from './with-database.ts';

type Values = Record<string, unknown>;
type Asked = Parameters<Act['run']>[1];

/** @returns the commands of the acts that have one, by name. */
export function commandsOf(acts: readonly Act[]): Record<string, Command> {
  const commands: Record<string, Command> = {};
  for (const act of acts)
    for (const [name, own] of Object.entries(act.commands ?? {})) commands[name] = commandOf(act, own);
  return commands;
}

/** Options whose names differ from the members of the API. */
const optionNames: Readonly<Record<string, string>> = { from: 'since', to: 'until' };
const optionNameOf = (member: string): string => optionNames[member] ?? member;
/** Members of a query that no command has: a command reads all pages, and a person corrects typos. */
const hidden = ['cursor', 'limit', 'spelling'];

function commandOf(act: Act, own: ActCommand): Command {
  const isFile = 'files' in act;
  const { params, query, body } = act.input ?? {};
  const operandsOf = () =>
    own.ofEmail ? { EMAIL: 'id' } : isFile ? { FILE: '' } : params ? { ID: 'id' } : {};
  const { operands = operandsOf(), hides = [] } = own;
  const noOptions = [...hidden, ...hides, ...Object.values(operands)];
  const members = Object.entries<Member>({ ...query?.properties, ...body?.properties }).filter(
    ([name, { type }]) => !noOptions.includes(name) && type !== 'boolean',
  );
  const options: option.Options = {
    ...Object.fromEntries(
      members.map(([name, schema]) => [optionNameOf(name), optionOf(schema, own.words?.[name])]),
    ),
    ...Object.fromEntries(Object.entries(own.flags ?? {}).map(([name, help]) => [name, option.flag(help)])),
    ...(query?.properties['limit'] && { limit: option.wholeNumber('how many at most', own.limit ?? 50, 1) }),
    ...(isFile && own.ofEmail && { to: option.text('write it to this file instead', 'file') }),
    ...(isFile ? { force: option.flag('replace the file if there is one') } : { json }),
  };
  return command({
    purpose: `${own.purpose ?? `${act.summary}.`}${'FILE' in operands ? ` FILE may be - for standard ${isFile ? 'output' : 'input'}.` : ''}`,
    options,
    operands: Object.keys(operands),
    async run(values, io, words) {
      // One item more than the limit shows whether the list is cut.
      const most = Math.min(Number(values['limit']) + 1, maxPageSize);
      const given: Values = { limit: most };
      for (const [member] of members) given[member] = values[optionNameOf(member)];
      for (const [at, [name, member]] of Object.entries(operands).entries()) {
        given[member] = name.endsWith('…') ? words.slice(at) : words[at];
      }
      Object.assign(given, own.given?.(values));
      if (own.reads) {
        const { member, as } = own.reads;
        given[member] = (await readInput(io, String(given[member]))).toString(as);
      }
      const asked = {
        params: membersOf(params, given),
        query: membersOf(query, given),
        body: membersOf(body, given),
      };
      try {
        const check = (money?: Money) => {
          const fault = own.ofEmail ? undefined : checkValue(Type.Object(act.input ?? {}), asked, money);
          if (fault) throw fault;
        };
        check();
        return await withShop(io, async (shop) => {
          check(shop.money);
          const isOfOrder = params === OrderParams;
          if (isOfOrder || body === MarkOrders) {
            const ids = await orderIds(shop, words);
            if (isOfOrder) asked.params['id'] = ids[0];
            else asked.body['ids'] = ids;
          }
          const call = { io, shop, values, asked, operand: words[0] ?? '' };
          return await (own.ofEmail ? runOfEmail(act, own, call) : runOnce(act, own, call));
        });
      } catch (error) {
        throw error instanceof Problem ? sentenceOf(error, operands, words[0]) : error;
      }
    },
  });
}

/** @returns words of which those that are numbers of orders have become ids. */
async function orderIds({ db }: Shop, words: readonly string[]): Promise<string[]> {
  const found = db.selectFrom('orders').select(['id', 'number']).where('number', 'in', words);
  const ids = new Map((await found.execute()).map(({ id, number }) => [number, id]));
  return words.map((word) => ids.get(word) ?? word);
}

type Call = { io: Io; shop: Shop & { actor: Actor }; values: Values; asked: Asked; operand: string };

async function runOnce(act: Act, own: ActCommand, call: Call): Promise<Result | undefined> {
  const { shop, asked, operand } = call;
  if ('files' in act) return await writeExport(call, operand, await act.run(shop, asked));
  if (act.method === 'GET') return await printList(call, own, itemsOf(act, own, call));
  const answer = await act.run(shop, asked);
  const body = answer instanceof Answer ? answer.body : answer;
  const failure = own.missing?.(body, asked);
  const isNothing = failure !== undefined && (!Array.isArray(body) || body.length === 0);
  return {
    json: own.json ? own.json(body) : body,
    lines: [],
    notes: own.report && !isNothing ? [own.report(body, asked)].flat() : [],
    failure,
  };
}

/** An act on a customer, done for each customer with an e-mail: the same person may have accounts at different providers. */
async function runOfEmail(act: Act, own: ActCommand, call: Call): Promise<Result | undefined> {
  const { shop, values, operand: email } = call;
  const { json = (body) => body, ofEmail = () => '', confirm } = own;
  const customers = await findCustomersByEmail(shop.db, email);
  if (customers.length === 0) throw new StartError(`No customer has the e-mail ${email}.`);
  if (confirm && !values['yes'] && !values['json']) throw new UsageError(confirm(customers));
  const number = counted(customers.length, 'customer');
  const asked = ({ _id: id }: DeskCustomer) => ({ params: { id }, query: {}, body: {} });
  if ('files' in act) {
    const parts = async function* () {
      for (const [index, customer] of customers.entries()) {
        yield index === 0 ? '[' : ',\n';
        yield* await (await act.run(shop, asked(customer))).read();
      }
      yield ']\n';
    };
    return await writeExport(call, values['to'], { read: async () => parts(), count: () => number });
  }
  const bodies: unknown[] = [];
  for (const customer of customers) bodies.push(await act.run(shop, asked(customer)));
  return {
    json: bodies.map((body, at) => ({ _id: customers[at]?._id, ...Object(json(body)) })),
    lines: [ofEmail(number, bodies)],
  };
}

/** The part of a member's schema from which an option is made. */
type Member = { [Name in 'type' | 'description' | 'format']?: string } & {
  enum?: string[];
  default?: unknown;
};

/** @returns an option: of several words, the first is the default; any other option is undefined unless it is given. */
function optionOf(schema: Member, words: readonly string[] = schema.enum ?? []): option.Option<unknown> {
  const [sentence = ''] = (schema.description ?? '').split(/\.(?:\s|$)/);
  const help = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  const [first, ...others] = words;
  if (first === undefined) return option.text(help, schema.format === 'day' ? 'day' : 'text');
  if (schema.default === first) return option.oneOf(help, [first, ...others]);
  return option.value(help, 'name', (name) => option.wordOf(name, [first, ...others]));
}

async function readInput({ stdin }: Io, file: string): Promise<Buffer> {
  if (file === '-') return await buffer(stdin);
  const content = await readFile(file).catch(() => undefined);
  // npm runs a script in the folder of the store, wherever npm was called.
  if (!content) throw new StartError(`There is no file ${resolve(file)}.`);
  return content;
}

const membersOf = (schema: TObject | undefined, given: Values): Values =>
  Object.fromEntries(
    Object.entries(given).filter(([name, one]) => one !== undefined && schema && name in schema.properties),
  );

function sentenceOf({ errors, detail, message }: Problem, operands: object, id: string | undefined) {
  const [wrong] = errors ?? [];
  if (!wrong) return new StartError(detail ?? ('ID' in operands ? `${id}: ${message}` : message));
  const [member = ''] = wrong.field.replace(/^(params|query|body)\./, '').split('.');
  const operand = Object.entries(operands).find(([, one]) => one === member)?.[0];
  const name = operand?.replace('…', '') ?? `--${optionNameOf(member)}`;
  return new UsageError(`${name}: ${wrong.message}`);
}

/** Opens what acts need, on the database of DATABASE_URL. */
async function withShop<Done>(io: Io, work: (shop: Call['shop']) => Promise<Done>): Promise<Done> {
  return await withDatabase(io, async ({ db, listDb, space }) => {
    const settings = await shopSettings(io, db);
    // The running store finds due messages within seconds.
    const senders = { mail: settings.sendsMail, webhooks: settings.webhook !== undefined };
    const parts = { outbox: { senders, wake() {} }, onShelfChanged() {} };
    return await work({
      ...{ db, listDb, space, zone: settings.timeZone, money: moneyIn(settings.currency) },
      ...{ actor: commandActor, mail: { mode: 'sent', sender: settings.sender }, ...parts },
      payments: openPayments({ ...parts, db, settings, log: openLog('silent') }),
    });
  });
}

async function writeExport(call: Call, file: unknown, { read, count }: Pick<ExportFile, 'read' | 'count'>) {
  const { stdout, stderr } = call.io;
  const isForced = call.values['force'] === true;
  const isFile = typeof file === 'string' && file !== '-';
  // The export starts only when the file can be written: the audit trail must not list an export that was never written.
  if (isFile) await writeWhole(file, { isForced }, async (_part, handle) => handle.writeFile(await read()));
  else await pipeline(await read(), stdout, { end: false });
  if (count) stderr.write(`Exported ${count()}${isFile ? ` to ${file}` : ''}.\n`);
  return undefined;
}

/** Prints a list while its pages arrive: a line for each item, or one JSON array. */
async function printList({ io, values, shop }: Call, own: ActCommand, items: AsyncIterable<unknown>) {
  const { stdout, stderr } = io;
  const { head, line = () => [], whenEmpty = '' } = own;
  const { json: isJson, limit = Number.POSITIVE_INFINITY } = values;
  let listed = 0;
  for await (const item of items) {
    if (listed === limit) {
      if (!isJson) stderr.write(`There are more: --limit lists more than ${grouped(listed)}.\n`);
      break;
    }
    if (isJson) stdout.write(`${listed === 0 ? '[' : ',\n'}${JSON.stringify(item)}`);
    else {
      if (head && listed === 0) printLine(stdout, head);
      printLine(stdout, line(item as never, shop.money));
    }
    listed += 1;
  }
  if (isJson) stdout.write(listed === 0 ? '[]\n' : ']\n');
  // In a terminal, empty output would look like a failure.
  else if (listed === 0) stderr.write(`${whenEmpty}\n`);
  return undefined;
}

async function* itemsOf(act: ValueAct, { items }: ActCommand, { shop, asked }: Call) {
  for (let page = {}; ; ) {
    const answer = await act.run(shop, { ...asked, query: { ...asked.query, ...page } });
    const { body, nextCursor } = answer instanceof Answer ? answer : new Answer(answer, {});
    yield* items ? items(body) : (body as readonly unknown[]);
    if (nextCursor === undefined) return;
    page = { cursor: nextCursor };
  }
}
