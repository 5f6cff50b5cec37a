import { createToken, listTokens, revokeToken, scopes } from '../server/access/tokens.ts';
import { commandActor, commandAddress } from '../server/activity/activity.ts';
import { OptionError, value, wordOf } from '../tools/options.ts';
import { command, json } from './command.ts';
import { withDatabase } from './with-database.ts';

const tokenName = value('what the audit trail calls it: letters, digits, dots, dashes', 'name', (name) => {
  // No token may be called `command`: the audit trail uses that name for the owner's commands.
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name) && name !== commandAddress) return name;
  throw new OptionError(`"${name}" is not a name such as import-2026`);
});

export const tokenCommands = {
  'tokens create': command({
    purpose:
      'Makes a token for a script and prints it, this once. The script sends it as `Authorization: Bearer …`.',
    options: {
      name: tokenName,
      may: value(`what the script may change: ${scopes.join(' or ')}`, 'scope', (word) =>
        wordOf(word, scopes),
      ),
    },
    async run({ name, may }, io) {
      if (name === undefined) throw new OptionError('--name: it is missing');
      // The option has no default: a token has only the scope that was named.
      if (may === undefined) throw new OptionError(`--may: it is missing: ${scopes.join(' or ')}`);
      return { lines: [await withDatabase(io, ({ db }) => createToken(db, { name, may }, commandActor))] };
    },
  }),
  'tokens list': command({
    purpose:
      'Lists the tokens by name, with what they may and when they were last used, also the revoked ones.',
    options: { json },
    async run(_values, io) {
      const tokens = await withDatabase(io, ({ db }) => listTokens(db));
      const lines = tokens.map(({ name, may, createdAt, lastUsedAt, revokedAt }) => {
        const state = revokedAt ? `revoked ${revokedAt}` : `used ${lastUsedAt ?? 'never'}`;
        return [name.padEnd(24), may.padEnd(9), `created ${createdAt}`, state];
      });
      return { json: tokens, lines };
    },
  }),
  'tokens revoke': command({
    purpose: 'Ends a token for good.',
    options: {},
    operands: ['NAME'],
    async run(_values, io, [name = '']) {
      await withDatabase(io, ({ db }) => revokeToken(db, name, commandActor));
      io.stderr.write(`${name} is revoked now.\n`);
    },
  }),
};
