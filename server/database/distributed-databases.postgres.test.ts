/**
 * Compares the SQL of the store with the table of record 52, which says what distributed databases do with each construct. It reads
 * the sources, and what migrations compile to: so it needs no run of the other tests, misses no statement that they do not run, and
 * leaves out their own. It compares words: PostgreSQL's keywords, functions, catalogs and types, and the methods of Kysely, which say the
 * same (`forUpdate`). It does not notice a new combination of common words.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { parseSync } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { statementsOf } from './migrate.ts';
import { migrations } from './migrations/index.ts';

/**
 * What every database of the table takes: common statements, and functions of values. Some are names of columns that are also keywords.
 * The second list has methods that build such statements, and those with the name of one.
 */
const common = new Set(
  `
  action add after all alter and any array array_agg as at between bigint bit bool_and by cardinality
  case cast check coalesce column columns compile concat_ws constraint copy count create cross
  current_database current_schema current_setting day default delete desc distinct drop else encode encoding end
  escape execute exists expression extract false format from greatest group hash having host if in
  index insert int integer into is join json json_agg json_build_object json_object_agg key last left length
  limit lower max min month name not null nullif offset on or order over partition primary regexp_replace
  replace row_number rtrim select set sha256 string_agg substr sum table text then timestamp true
  union unique update value values when where with

  $asTuple $if addColumn alterTable clearOrderBy createTable crossJoin executeTakeFirst
  executeTakeFirstOrThrow filterWhere groupBy innerJoin leftJoin modifyEnd notNull onRef orderBy primaryKey
  selectAll whereRef
  `
    .trim()
    .split(/\s+/),
);

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Without SQLite's, which stays on one machine, and without those of the demo. */
const sources = globSync('{server,commands}/**/*.ts', {
  cwd: root,
  exclude: [
    '**/*.test.ts',
    '**/testing/**',
    'server/demo/**',
    'server/database/{sqlite,migrations,fixtures}/**',
    'server/database/copy/sqlite-source.ts',
  ],
});

type Node = Readonly<Record<string, unknown>> & { type: string };

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as Node;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

const syntaxOf = (file: string) => [...nodesIn(parseSync(file, read(file)).program)];

const nameOf = (node: unknown) => String((node as Partial<Node> | undefined)?.['name'] ?? '');

const builderMethods = new Set(
  globSync('node_modules/kysely/dist/{query-builder,schema}/*.js', { cwd: root })
    .flatMap(syntaxOf)
    .filter(({ type }) => type === 'MethodDefinition')
    .map(({ key }) => nameOf(key)),
);

/** A string without the tag `sql` is a statement if it begins like one. */
const beginsStatement =
  /^\s*(alter|analyze|begin;|copy|create|declare|delete from|drop|explain|fetch|grant|insert into|listen|lock|merge into|notify|reset|select|set (local|session)|truncate|update|vacuum|wait for|with)\s/;

/** A part of a statement: SQL, or the method that writes it with its words. */
type Part = { text: string; method?: string };

function partsIn(file: string): Part[] {
  const nodes = syntaxOf(file);
  const tagged = new Set(nodes.filter(({ tag }) => nameOf(tag) === 'sql').map(({ quasi }) => quasi));
  return nodes.flatMap((node): Part[] => {
    if (node.type === 'TemplateLiteral') {
      const quasis = node['quasis'] as readonly { value: { cooked: string } }[];
      const text = quasis.map(({ value }) => value.cooked).join(' ? ');
      return tagged.has(node) || beginsStatement.test(text) ? [{ text }] : [];
    }
    if (node.type === 'Literal') {
      const text = String(node['value']);
      return beginsStatement.test(text) ? [{ text }] : [];
    }
    if (node.type !== 'CallExpression') return [];
    const method = nameOf((node['callee'] as Node)['property']);
    const text = method.replace(/[A-Z]/g, (letter) => ` ${letter}`);
    return builderMethods.has(method) ? [{ text, method }] : [];
  });
}

/** SQL without comments, texts, and names in quotes. */
const bare = (text: string) =>
  text
    .replace(/--.*$|\/\*.*?\*\//gm, ' ')
    .replace(/'(?:[^']|'')*'|"[^"]*"/g, '?')
    .replace(/\s+/g, ' ')
    .toLowerCase();

const [, table = ''] =
  /^\| what the store uses .*\n((?:\|.*\n)+)/m.exec(read('docs/decisions/0052-distributed-databases.md')) ??
  [];
/** What the first column of the table has in code. `…` stands for anything. A longer one comes before its parts. */
const constructs = [...table.matchAll(/^\| [^|]*/gm)]
  .flatMap(([cell]) => [...cell.matchAll(/`([^`]+)`/g)])
  .flatMap(([, code = '']) => code.split('…'))
  .map((construct) => bare(construct).trim())
  .sort((one, other) => other.length - one.length);

/** A construct as a whole: between other characters than those of words, but casts follow words. */
const patternOf = (construct: string) =>
  new RegExp(
    `${construct.startsWith('::') ? '' : '(?<!\\w)'}${construct.replace(/[^\w\s]/g, '\\$&')}(?!\\w)`,
    'g',
  );

const database = setUpSharedDatabase();
const usedConstructs = new Set<string>();
/** Each other word of PostgreSQL's, and each method with other words, with a statement that has it. */
const otherWords = new Map<string, string>();

beforeAll(async () => {
  const { rows } = await sql<{ definition: string }>`
    select word as definition from pg_get_keywords()
    union select relname from pg_class where relnamespace = 'pg_catalog'::regnamespace
    union select amname from pg_am
    union select proname || '(' from pg_proc where pronamespace = 'pg_catalog'::regnamespace
    union select '::' || typname from pg_type where typnamespace = 'pg_catalog'::regnamespace
  `.execute(database.db);
  const defined = new Set(rows.map(({ definition }) => definition));
  const compiled = await Promise.all(
    Object.values(migrations).map((migration) => statementsOf(database.db, migration)),
  );
  const parts = [...compiled.flat().map(({ sql }): Part => ({ text: sql })), ...sources.flatMap(partsIn)];
  for (const { text, method } of parts) {
    let rest = bare(text);
    for (const construct of constructs) {
      const pattern = patternOf(construct);
      if (pattern.test(rest)) usedConstructs.add(construct);
      rest = rest.replace(pattern, ' ');
    }
    if (method !== undefined) {
      if (rest.trim() !== '') otherWords.set(method, text);
      continue;
    }
    // A name is before or after a point, or comes after `as`.
    for (const [, before = '', word = '', after = ''] of rest.matchAll(
      /(::|\.|\bas )?\b([a-z_]\w*) ?([(.])?/g,
    )) {
      if (before === '.' || after === '.' || (before === 'as ' && after === '')) continue;
      if ([word, word + after, before + word].some((form) => defined.has(form))) otherWords.set(word, text);
    }
  }
});

test('the table of distributed databases has each construct of a statement that not all of them take', () => {
  expect([...otherWords].filter(([word]) => !common.has(word))).toEqual([]);
});

test('the table of distributed databases has only constructs that a statement has', () => {
  expect(constructs.filter((construct) => !usedConstructs.has(construct))).toEqual([]);
  expect([...common].filter((word) => !otherWords.has(word))).toEqual([]);
});
