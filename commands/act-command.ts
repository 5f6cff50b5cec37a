/** The acts of the owner as commands: `shop orders note` derives from the act of the desk's call. */

import type { TObject } from 'typebox';
import { maxPageSize } from '../contract/next-page.ts';
import { type Act, type ActCommand, Answer, type ExportFile, type Shop } from '../server/access/act.ts';
import { commandActor } from '../server/activity/activity.ts';
import { checkValue } from '../server/http/bodies.ts';
import { asProblem } from '../server/http/error-handler.ts';
import { Problem } from '../server/http/problems.ts';
import { senderOf } from '../server/mail/messages.ts';
import { readShopSettings } from '../server/settings/settings.ts';
import { StartError } from '../server/start-error.ts';
import { flag, type Option, type Options, oneOf, text, wholeNumber, wordOf } from '../tools/options.ts';
import { type Command, command, type Io } from './command.ts';
import { lineOf, printable, printJson, printPages } from './print.ts';
import { UsageError } from './usage-error.ts';
import { databaseSettings, withDatabase } from './with-database.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

type Members = Record<string, unknown>;
type Asked = Parameters<Act['run']>[1];

/** @returns the commands of the acts that have one, by name. */
export const commandsOf = (acts: readonly Act[]): Record<string, Command> =>
  Object.fromEntries(
    acts.flatMap((act) =>
      Object.entries(act.commands ?? {}).map(([name, own]) => [name, commandOf(act, own)] as const),
    ),
  );

/** Options that are called otherwise than the members of the API. */
const optionNames: Readonly<Record<string, string>> = { from: 'since', to: 'until' };
/** Members of a query that no command has: their pages follow each other, and a person mends typos. */
const hidden = ['cursor', 'limit', 'spelling'];

function commandOf(act: Act, own: ActCommand): Command {
  const isFile = 'files' in act;
  const isList = !isFile && act.method === 'GET';
  const { operands = isFile ? { FILE: '' } : act.input?.params ? { ID: 'id' } : {}, flags = {} } = own;
  const { query, body } = act.input ?? {};
  const members = Object.entries<Member>({ ...query?.properties, ...body?.properties }).filter(
    ([name, { type }]) =>
      ![...hidden, ...(own.hides ?? []), ...Object.values(operands)].includes(name) && type !== 'boolean',
  );
  const options: Options = {
    ...Object.fromEntries(
      members.map(([name, schema]) => [optionNames[name] ?? name, optionOf(schema, own.words?.[name])]),
    ),
    ...Object.fromEntries(Object.entries(flags).map(([name, help]) => [name, flag(help)])),
    ...(query?.properties['limit'] && { limit: wholeNumber('how many at most', own.limit ?? 50, 1) }),
    ...(isFile ? { force } : { json: flag(isList ? 'print one JSON array' : 'print JSON') }),
  };
  return command({
    purpose: `${own.purpose ?? `${act.summary}.`}${isFile ? ' FILE may be - for standard output.' : ''}`,
    options,
    operands: Object.keys(operands),
    async run(values, io, words) {
      const given = Object.entries(operands).map(([name, member], index) => [
        member,
        name.endsWith('…') ? words.slice(index) : words[index],
      ]);
      const chosen = members.map(([name]) => [name, values[optionNames[name] ?? name]] as const);
      const isOn = Object.fromEntries(Object.keys(flags).map((name) => [name, values[name] === true]));
      const all: Members = {
        ...Object.fromEntries(chosen.filter(([, value]) => value !== undefined)),
        ...Object.fromEntries(given),
        ...own.given?.(isOn),
      };
      const asked = {
        params: membersOf(act.input?.params, all),
        query: membersOf(query, all),
        body: membersOf(body, all),
      };
      // A part has at most as many as the API takes. Each is done or not when the process dies, and doing it again does the rest.
      const parts = partsOf(asked, body);
      for (const part of parts) check(act, part, operands);
      await explained(operands, words, () =>
        withShop(io, async (shop) => {
          const work = { ...shop, actor: commandActor };
          if ('files' in act)
            return await writeFile(io, await act.run(work, asked), words[0], values['force']);
          const page = async (cursor?: string | number, limit?: number) => {
            const query = {
              ...asked.query,
              ...(limit && { limit }),
              ...(cursor !== undefined && { cursor }),
            };
            return answerOf(await act.run(work, { ...asked, query }));
          };
          const json = values['json'] === true;
          const { limit } = values;
          if (isList) return await printList(io, own, { json, limit: Number(limit ?? Infinity) }, page);
          const bodies = [];
          for (const part of parts) bodies.push(answerOf(await act.run(work, part)).body);
          return print(io, own, { json, body: parts.length > 1 ? bodies.flat() : bodies[0], asked });
        }),
      );
    },
  });
}

/** The part of a member's schema that options are made of. */
type Member = {
  type?: string;
  enum?: readonly string[];
  default?: unknown;
  description?: string;
  format?: string;
};

/** @returns an option without a default, undefined unless it is given; or with the first of several words. */
function optionOf(schema: Member, words = schema.enum): Option<unknown> {
  const [sentence = ''] = (schema.description ?? '').split(/\.(?:\s|$)/);
  const help = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  const [first, ...others] = words ?? [];
  if (first === undefined) return text(help, schema.format === 'day' ? 'day' : 'text');
  if (schema.default === first) return oneOf(help, [first, ...others]);
  const read: Option<unknown>['read'] = (texts) =>
    texts.map((name) => wordOf(name, [first, ...others])).at(-1);
  return { help, valueName: 'name', read };
}

const membersOf = (schema: TObject | undefined, all: Members): Members =>
  Object.fromEntries(Object.entries(all).filter(([name]) => schema && name in schema.properties));

/** @returns the same for each part of the list in a body. */
function partsOf(asked: Asked, body: TObject | undefined): Asked[] {
  const [name, items] = Object.entries(asked.body).find(([, value]) => Array.isArray(value)) ?? [];
  if (name === undefined || !body || !Array.isArray(items)) return [asked];
  const count = Math.ceil(items.length / maxPageSize);
  return Array.from({ length: count }, (_, index) => {
    const part = items.slice(index * maxPageSize, (index + 1) * maxPageSize);
    return { ...asked, body: { ...asked.body, [name]: part } };
  });
}

/** @throws {UsageError} for a value that the API refuses. */
function check({ input = {} }: Act, asked: Asked, operands: Readonly<Record<string, string>>): void {
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = input[part];
    const faults = schema && checkValue(schema, asked[part]);
    const [wrong] = faults ? (asProblem(faults).errors ?? []) : [];
    if (wrong) throw new UsageError(`${nameOf(wrong.field, operands)}: ${wrong.message}`);
  }
}

/** @returns the name of a member for who types the command. */
function nameOf(field: string, operands: Readonly<Record<string, string>>): string {
  const [member = ''] = field.split('.');
  const operand = Object.entries(operands).find(([, one]) => one === member)?.[0];
  return operand?.replace('…', '') ?? `--${optionNames[member] ?? member}`;
}

/** @throws {StartError | UsageError} with the sentence of a problem. */
async function explained(
  operands: Readonly<Record<string, string>>,
  [id]: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [wrong] = error.errors ?? [];
    if (wrong) throw new UsageError(`${nameOf(wrong.field, operands)}: ${wrong.message}`);
    throw new StartError(error.detail ?? ('ID' in operands ? `${id}: ${error.message}` : error.message));
  }
}

/** Opens what acts use on the database of DATABASE_URL. */
export async function withShop<Result>(io: Io, work: (shop: Shop) => Promise<Result>): Promise<Result> {
  // Called first: it loads `.env`, and names every wrong setting at once.
  databaseSettings(io);
  const settings = readShopSettings(io.env);
  return await withDatabase(io, ({ db, listDb, space }) =>
    work({
      ...{ db, listDb, space, zone: settings.timeZone },
      mail: { mode: 'sent', sender: senderOf(settings) },
      // The store beside the command finds what is due within seconds.
      outbox: { senders: { mail: settings.sendsMail, webhooks: settings.webhook !== undefined }, wake() {} },
      onShelfChanged() {},
    }),
  );
}

const answerOf = (answer: unknown): Answer<unknown> =>
  answer instanceof Answer ? answer : new Answer(answer, {});

async function writeFile(io: Io, { read, count }: ExportFile, file = '', isForced: unknown): Promise<void> {
  await writeParts(io, file, { isForced: isForced === true }, async function* () {
    yield* await read();
  });
  if (count) reportExport(io, count(), file);
}

async function printList(
  io: Io,
  { items = (body) => (Array.isArray(body) ? body : []), head, line = () => [], whenEmpty = '' }: ActCommand,
  { json, limit }: { json: boolean; limit: number },
  page: (cursor: string | number | undefined, limit?: number) => Promise<Answer<unknown>>,
): Promise<void> {
  await printPages(io, {
    ...{ json, limit, whenEmpty, head },
    lineOf: (item) => lineOf(line(item as never)),
    async fetch({ limit: most, cursor }) {
      const { body, nextCursor } = await page(cursor, Number.isFinite(limit) ? most : undefined);
      return { items: items(body), nextCursor };
    },
  });
}

/** @throws {StartError} about what was not done. */
function print(
  io: Io,
  { json: shown = (body) => body, line, report, missing }: ActCommand,
  { json, body, asked }: { json: boolean; body: unknown; asked: Asked },
): void {
  const failure = missing?.(body, asked);
  const isNothing = Array.isArray(body) && body.length === 0;
  if (json) printJson(io, shown(body));
  else if (!isNothing && (Array.isArray(body) || !failure)) {
    if (line) io.stdout.write(lineOf(line(body as never)));
    if (report) io.stderr.write(`${printable(report(body, asked))}\n`);
  }
  if (failure) throw new StartError(failure);
}
