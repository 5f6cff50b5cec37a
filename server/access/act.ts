/** An act of the owner, declared once: the desk's route and the command of `npm run shop` derive from it. */

import type { Static, TObject, TSchema } from 'typebox';
import type { PathWithParameter } from '../../contract/paths.ts';
import type { Actor } from '../activity/activity.ts';
import type { Database } from '../database/open.ts';
import type { Db } from '../database/tables.ts';
import type { ProblemCode } from '../http/problems.ts';
import type { LimitName } from '../http/rate-limits.ts';
import type { Mail } from '../mail/mail.ts';
import type { Outbox } from '../outbox/record.ts';
import type { Scope } from './tokens.ts';

/** The parts of the store that acts use, which the desk and the commands each bring. */
export type Shop = {
  db: Db;
  /** For lists, which may take long. */
  listDb: Db;
  space: Database['space'];
  /** The zone of the shop's clocks, such as `Europe/Berlin`. */
  zone: string;
  mail: Pick<Mail, 'mode' | 'sender'>;
  outbox: Outbox;
  /** Called after a change of what visitors see of the catalogue. */
  onShelfChanged(): void;
};

/** A part that is not there is `{}`: the act asks for nothing in it. */
type Input = { params?: TObject; query?: TObject; body?: TObject };
type Asked<Of extends Input> = {
  [Part in 'params' | 'query' | 'body']: Of[Part] extends TObject ? Static<Of[Part]> : object;
};

/** A page of a list, or a body with headers. */
export class Answer<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  /** For the `Link` header; undefined on the last page. */
  readonly nextCursor: string | number | undefined;
  /** The query of the next page, where it is another one. */
  readonly nextQuery: Readonly<Record<string, string | number | undefined>>;

  constructor(body: Body, { headers = {}, nextCursor, nextQuery = {} }: Partial<Omit<Answer<Body>, 'body'>>) {
    this.body = body;
    this.headers = headers;
    this.nextCursor = nextCursor;
    this.nextQuery = nextQuery;
  }
}

/** A file that is read piece by piece. */
export type ExportFile = {
  /** The parts of the file's name, to which the day is added: `orders-new-2026-11-21`. */
  name: readonly string[];
  ending: string;
  /** Its media type. */
  type: string;
  /** Records the export, and reads it. A HEAD request reads nothing, and so the trail has no export. */
  read(): Promise<AsyncIterable<string> | Iterable<string>>;
  /** @returns what was read, such as `3 orders`. */
  count?(): string;
};

/** How `npm run shop` calls an act, and prints what it answers. */
export type ActCommand<Of extends Input = Input, Body = unknown> = {
  /** A sentence for its usage. By default it is the summary. */
  purpose?: string;
  /** By its name in the usage, such as `ID` or `ID…`, the member of the input that an operand is. By default `ID` is `id`. */
  operands?: Readonly<Record<string, string>>;
  /** Options without a value, by name: what they mean. */
  flags?: Readonly<Record<string, string>>;
  /** @returns members of the query or of the body, from the flags that were given. */
  given?(flags: Readonly<Record<string, unknown>>): object;
  /** The words that an option may be, by its name. */
  words?: Readonly<Record<string, readonly string[]>>;
  /** Members of the query that are no options. */
  hides?: readonly string[];
  /** How many items a list has at most without `--limit`. */
  limit?: number;
  /** @returns the items of a page. By default the page is an array of them. */
  items?(body: Body): readonly unknown[];
  /** A line above the items. */
  head?: readonly string[];
  /** @returns the columns of a line about an item, or about the one thing. */
  line?(item: ItemOf<Body>): readonly string[];
  /** @returns the value of `--json`. By default it is the body. */
  json?(body: Body): unknown;
  /** @returns a sentence for people about what was done. */
  report?(body: Body, asked: Asked<Of>): string;
  /** @returns a sentence about what was not done: the command fails. */
  missing?(body: Body, asked: Asked<Of>): string | undefined;
  /** A sentence about an empty list. */
  whenEmpty?: string;
};

/** An item of a list, of a member of the body that is a list, or the body itself. */
type ItemOf<Body> = Body extends readonly (infer Item)[]
  ? Item
  : Extract<Body[keyof Body], readonly unknown[]> extends readonly (infer Item)[]
    ? Item
    : Body;

type Declared<Of extends Input, Body> = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string | PathWithParameter;
  operationId: string;
  summary: string;
  description?: string;
  /** A script with a token of this scope may call it too. */
  scope?: Scope;
  /** By default that of the desk. */
  limit?: LimitName;
  input?: Of;
  /** The problems besides those that follow from its access and its input. */
  problems?: readonly ProblemCode[];
  /** In bytes. */
  bodyLimit?: number;
  isBodyOptional?: boolean;
  /** By name, such as `orders note`. */
  commands?: Readonly<Record<string, ActCommand<Of, Body>>>;
};

type ValueAct<Of extends Input = Input, Body = unknown> = Declared<Of, Body> & {
  output: TSchema;
  run(shop: Shop & { actor: Actor }, asked: Asked<Of>): Promise<Body | Answer<Body>>;
};

type FileAct<Of extends Input = Input> = Declared<Of, never> & {
  /** By media type, for the description. */
  files: Readonly<Record<string, TSchema>>;
  run(shop: Shop & { actor: Actor }, asked: Asked<Of>): Promise<ExportFile>;
};

export type Act = ValueAct | FileAct;

/** Infers the types of an act. */
export const act = <const Of extends Input, Out extends TSchema>(
  declared: ValueAct<Of, Static<Out>> & { output: Out },
): ValueAct<Of, Static<Out>> => declared;

/** The same for one whose answer is a file. */
export const fileAct = <const Of extends Input>(declared: FileAct<Of>): FileAct<Of> => declared;
