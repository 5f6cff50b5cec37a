/** `shop tokens`: the bearer tokens of scripts. */

import {
  createToken,
  listTokens,
  revokeToken,
  type Scope,
  scopes,
  TokenNameTaken,
} from '../server/access/tokens.ts';
import { commandActor, commandAddress } from '../server/activity/activity.ts';
import { timeOrNull, timeText } from '../server/database/times.ts';
import { StartError } from '../server/start-error.ts';
import { flag, type Option, OptionError, wordOf } from '../tools/options.ts';
import { command } from './command.ts';
import { lineOf, printJson } from './print.ts';
import { withDatabase } from './with-database.ts';

/** Short enough for a line of a log, and without a colon. */
const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const tokenName: Option<string> = {
  help: 'what the audit trail calls it: letters, digits, dots, dashes',
  valueName: 'name',
  read(texts) {
    const name = String(texts.at(-1) ?? '');
    // The audit trail has this name for the commands of the owner.
    if (!namePattern.test(name) || name === commandAddress)
      throw new OptionError(`"${name}" is not a name such as import-2026`);
    return name;
  },
};

/** It has no default: a token has only the scope that was named. */
const scope: Option<Scope> = {
  help: `what the script may change: ${scopes.join(' or ')}`,
  valueName: 'scope',
  read(texts) {
    if (texts.length === 0) throw new OptionError(`it is missing: ${scopes.join(' or ')}`);
    return wordOf(texts.at(-1) ?? '', scopes);
  },
};

const create = command({
  purpose:
    'Makes a token for a script and prints it, this once. The script sends it as `Authorization: Bearer …`.',
  options: { name: tokenName, may: scope },
  async run({ name, may }, io) {
    const secret = await withDatabase(io, ({ db }) => createToken(db, { name, may }, commandActor)).catch(
      (error: unknown) => {
        if (!(error instanceof TokenNameTaken)) throw error;
        throw new StartError(`There is, or was, a token with the name ${name}. Choose another one.`);
      },
    );
    io.stdout.write(`${secret}\n`);
  },
});

const list = command({
  purpose:
    'Lists the tokens by name, with what they may and when they were last used, also the revoked ones.',
  options: { json: flag('print one JSON array') },
  async run({ json }, io) {
    const tokens = (await withDatabase(io, ({ db }) => listTokens(db))).map(
      ({ createdAt, lastUsedAt, revokedAt, ...token }) => ({
        ...token,
        createdAt: timeText(createdAt),
        lastUsedAt: timeOrNull(lastUsedAt),
        revokedAt: timeOrNull(revokedAt),
      }),
    );
    if (json) printJson(io, tokens);
    for (const { name, may, createdAt, lastUsedAt, revokedAt } of json ? [] : tokens) {
      const state = revokedAt ? `revoked ${revokedAt}` : `used ${lastUsedAt ?? 'never'}`;
      io.stdout.write(lineOf([name.padEnd(24), may.padEnd(9), `created ${createdAt}`, state]));
    }
  },
});

const revoke = command({
  purpose: 'Ends a token for good.',
  options: {},
  operands: ['NAME'],
  async run(_values, io, [name = '']) {
    if (!(await withDatabase(io, ({ db }) => revokeToken(db, name, commandActor)))) {
      throw new StartError(`No token with the name ${name} can be revoked.`);
    }
  },
});

export const tokenCommands = { 'tokens create': create, 'tokens list': list, 'tokens revoke': revoke };
