/** An act of the owner, declared once: the desk's route and the command of `npm run shop` derive from it. */

import type { Static, TObject, TSchema } from 'typebox';
import type { DeskCustomer } from '../../contract/desk/customers.ts';
import type { DeskMails } from '../../contract/desk/mail.ts';
import type { PathWithParameter } from '../../contract/paths.ts';
import type { Money } from '../../contract/price.ts';
import type { Actor } from '../activity/activity.ts';
import type { Database } from '../database/open.ts';
import type { Db } from '../database/tables.ts';
import type { ProblemCode } from '../http/problems.ts';
import type { LimitName } from '../http/rate-limits.ts';
import type { Outbox } from '../outbox/record.ts';
import type { Payments } from '../payments/open.ts';
import type { Sender } from '../settings/settings.ts';
import type { Scope } from './tokens.ts';

export type Shop = {
  db: Db;
  listDb: Db;
  space: Database['space'];
  zone: string;
  money: Money;
  mail: { mode: DeskMails['mode']; sender: Sender };
  outbox: Outbox;
  payments: Pick<Payments, 'settle'>;
  onShelfChanged(): void;
};

type Input = { params?: TObject; query?: TObject; body?: TObject };
type Asked<Of extends Input> = {
  [Part in 'params' | 'query' | 'body']: Of[Part] extends TObject ? Static<Of[Part]> : object;
};

export class Answer<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  readonly nextCursor: string | number | undefined;
  /** The query of the next page, where it differs from the query of this one. */
  readonly nextQuery: Readonly<Record<string, string | number | undefined>>;

  constructor(body: Body, { headers = {}, nextCursor, nextQuery = {} }: Partial<Omit<Answer<Body>, 'body'>>) {
    this.body = body;
    this.headers = headers;
    this.nextCursor = nextCursor;
    this.nextQuery = nextQuery;
  }
}

export type ExportFile = {
  /** The parts of the file's name. The day is added to them: `orders-new-2026-11-21`. */
  name: readonly string[];
  ending: string;
  type: string;
  /** Records the export in the audit trail, and reads the rows. A HEAD request reads nothing, and records nothing. */
  read(): Promise<AsyncIterable<string> | Iterable<string>>;
  count?(): string;
};

export type ActCommand<Of extends Input = Input, Body = unknown> = {
  purpose?: string;
  /** Operands by their names in the usage, such as `ID` or `ID…`, with the member of the input that each sets. By default `ID` sets `id`. */
  operands?: Readonly<Record<string, string>>;
  /** The member of the input that is the content of the file that its operand names, in Base64 if it may be no text. */
  reads?: { member: string; as: 'utf8' | 'base64' };
  flags?: Readonly<Record<string, string>>;
  given?(flags: Readonly<Record<string, unknown>>): object;
  words?: Readonly<Record<string, readonly string[]>>;
  hides?: readonly string[];
  limit?: number;
  /** @returns the items of a page. By default the page is an array of them. */
  items?(body: Body): readonly unknown[];
  head?: readonly string[];
  line?(item: ItemOf<Body>, money: Money): readonly string[];
  /** @returns the value of `--json`. By default it is the body. */
  json?(body: Body): unknown;
  report?(body: Body, asked: Asked<Of>): string | readonly string[];
  /** @returns a sentence about what was not done, with which the command fails. */
  missing?(body: Body, asked: Asked<Of>): string | undefined;
  whenEmpty?: string;
  /** The operand is an e-mail, and the act applies to each customer who has it. @returns a sentence about all of them. */
  ofEmail?(customers: string, bodies: readonly Body[]): string;
  /** The command asks for the flag `yes`. @returns a sentence about what the command would do. */
  confirm?(customers: readonly DeskCustomer[]): string;
};

/** The type of an item of a list, of an item of a member that is a list, or of the body itself. */
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
  scope?: Scope;
  /** By default `catalogue-changes` for an act that changes the catalogue, and `desk` for any other. */
  limit?: LimitName;
  input?: Of;
  /** The problems besides those that follow from the act's access and input. */
  problems?: readonly ProblemCode[];
  bodyLimit?: number;
  isOneAtATime?: boolean;
  isBodyOptional?: boolean;
  commands?: Readonly<Record<string, ActCommand<Of, Body>>>;
};

export type ValueAct<Of extends Input = Input, Body = unknown> = Declared<Of, Body> & {
  output: TSchema;
  run(shop: Shop & { actor: Actor }, asked: Asked<Of>): Promise<Body | Answer<Body>>;
};

type FileAct<Of extends Input = Input> = Declared<Of, never> & {
  files: Readonly<Record<string, TSchema>>;
  run(shop: Shop & { actor: Actor }, asked: Asked<Of>): Promise<ExportFile>;
};

export type Act = ValueAct | FileAct;

export const act = <const Of extends Input, Out extends TSchema>(
  declared: ValueAct<Of, Static<Out>> & { output: Out },
): ValueAct<Of, Static<Out>> => declared;

export const fileAct = <const Of extends Input>(declared: FileAct<Of>): FileAct<Of> => declared;
