/** `shop tokens`: the bearer tokens of scripts. */

import {
  createToken,
  listTokens,
  revokeToken,
  type Scope,
  scopes,
  TokenNameTaken,
} from '../../server/access/tokens.ts';
import { commandActor, commandAddress } from '../../server/activity/activity.ts';
import { timeOrNull, timeText } from '../../server/database/times.ts';
import { StartError } from '../../server/start-error.ts';
import { flag, type Option, OptionError, readCommand, readOptions } from '../options.ts';
import { withDatabase } from './with-database.ts';

/** Short enough for a line of a log, and without a colon. */
const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const tokenName: Option<string> = {
  help: 'what the audit trail calls it: letters, digits, dots, dashes',
  valueName: 'name',
  read(texts) {
    const name = String(texts.at(-1) ?? '');
    // The audit trail calls the owner's commands so.
    if (!namePattern.test(name) || name === commandAddress)
      throw new OptionError(`"${name}" is not a name such as import-2026`);
    return name;
  },
};

/** Without a default: nobody must get a scope that they did not name. */
const scope: Option<Scope> = {
  help: `what the script may change: ${scopes.join(' or ')}`,
  valueName: 'scope',
  read(texts) {
    const given = texts.at(-1) ?? '';
    const may = scopes.find((one) => one === given);
    if (!may) throw new OptionError(`"${given}" is none of ${scopes.join(', ')}`);
    return may;
  },
};

async function create(args: readonly string[]): Promise<void> {
  const { name, may } = readOptions(
    'npm run shop -- tokens create',
    'Makes a token for a script and prints it, this once. The script sends it as `Authorization: Bearer …`.',
    { name: tokenName, may: scope },
    args,
  );
  const secret = await withDatabase(({ db }) => createToken(db, { name, may }, commandActor)).catch(
    (error: unknown) => {
      if (!(error instanceof TokenNameTaken)) throw error;
      throw new StartError(`There is, or was, a token with the name ${name}. Choose another one.`);
    },
  );
  process.stdout.write(`${secret}\n`);
}

async function list(args: readonly string[]): Promise<void> {
  const { json } = readOptions(
    'npm run shop -- tokens list',
    'Lists the tokens by name, with what they may and when they were last used, also the revoked ones.',
    { json: flag('print one JSON array') },
    args,
  );
  const tokens = (await withDatabase(({ db }) => listTokens(db))).map(
    ({ createdAt, lastUsedAt, revokedAt, ...token }) => ({
      ...token,
      createdAt: timeText(createdAt),
      lastUsedAt: timeOrNull(lastUsedAt),
      revokedAt: timeOrNull(revokedAt),
    }),
  );
  if (json) process.stdout.write(`${JSON.stringify(tokens)}\n`);
  for (const { name, may, createdAt, lastUsedAt, revokedAt } of json ? [] : tokens) {
    const state = revokedAt ? `revoked ${revokedAt}` : `used ${lastUsedAt ?? 'never'}`;
    process.stdout.write(`${name.padEnd(24)}  ${may.padEnd(9)}  created ${createdAt}  ${state}\n`);
  }
}

async function revoke(args: readonly string[]): Promise<void> {
  const { operands } = readCommand(
    'npm run shop -- tokens revoke',
    'Ends a token for good.',
    { options: {}, operands: ['NAME'] },
    args,
  );
  const [name = ''] = operands;
  if (!(await withDatabase(({ db }) => revokeToken(db, name, commandActor)))) {
    throw new StartError(`No token with the name ${name} can be revoked.`);
  }
}

export const tokenCommands = { 'tokens create': create, 'tokens list': list, 'tokens revoke': revoke };
