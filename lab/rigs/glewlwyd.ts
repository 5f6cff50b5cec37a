/** A real Glewlwyd for tests: an identity provider in C, of another make than what the demo and the other tests have. */

import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { findProgram } from '../../server/testing/programs.ts';

/** Makes its tables, and an administrator with the password `password`. */
const tables = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
export const hasGlewlwyd = findProgram('glewlwyd') !== undefined && existsSync(tables);
/** Why a test is skipped on a machine without it. */
export const glewlwydIsMissing = 'Glewlwyd is not installed (on Debian: apt-get install glewlwyd)';

const startTimeoutMs = 20_000;

/** Properties beside the usual ones of a user. An administrator of Glewlwyd must add both. */
type GlewlwydUser = {
  username: string;
  email: string;
  groups?: readonly string[];
  isEmailVerified?: boolean;
};

export type Glewlwyd = {
  issuer: string;
  /** Adds the user, whose password is {@link password}. */
  addUser(user: GlewlwydUser): Promise<void>;
  /**
   * Goes on at its login page as a user's browser does: signs in, agrees, and goes back.
   * @param address where the store has sent the browser.
   * @returns the address of the store's callback.
   */
  signIn(address: string, username: string): Promise<URL>;
  stop(): Promise<void>;
};

export const password = 'correct horse battery staple';

/** Its claims of a user, beside those of the specification. */
const claims = [
  { name: 'groups', 'user-property': 'groups', type: 'string', mandatory: true },
  {
    name: 'email_verified',
    'user-property': 'email-verified',
    type: 'boolean',
    'boolean-value-true': 'yes',
    'boolean-value-false': 'no',
    mandatory: true,
  },
];

/**
 * Starts Glewlwyd with a database of its own, and registers the store there.
 * @param sendsOwnClaims whether it sends `groups` and `email_verified`. By default it sends neither.
 */
export async function startGlewlwyd(
  client: { clientId: string; clientSecret: string; callbackUrl: URL },
  { sendsOwnClaims }: { sendsOwnClaims: boolean },
): Promise<Glewlwyd> {
  const program = findProgram('glewlwyd');
  if (!program) throw new Error(glewlwydIsMissing);
  const folder = await mkdtemp(join(tmpdir(), 'colophon-glewlwyd-'));
  const file = join(folder, 'glewlwyd.db');
  const database = new DatabaseSync(file);
  database.exec(await readFile(tables, 'utf8'));
  for (const { name, 'user-property': property } of claims) {
    const format = { multiple: name === 'groups', read: true, write: true };
    database
      .prepare('update g_user_module_instance set gumi_parameters = json_set(gumi_parameters, ?, json(?))')
      .run(`$."data-format"."${property}"`, JSON.stringify(format));
  }
  database.close();
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const issuer = `${origin}/api/oidc`;
  const configuration = join(folder, 'glewlwyd.conf');
  await writeFile(configuration, configurationOf({ port, origin, file }));
  const child = spawn(program, [`--config-file=${configuration}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }

  /** Calls Glewlwyd's API. @returns the response. @throws for a status that is not 2xx. */
  async function call(method: string, path: string, body: object, cookie = ''): Promise<Response> {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}\n${log}`);
    }
    return response;
  }
  /** @returns the cookie of the user's session. */
  async function authenticate(username: string, password: string): Promise<string> {
    const response = await call('POST', '/auth/', { username, password });
    return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  }

  await untilListening();
  const admin = await authenticate('admin', 'password');
  for (const name of ['profile', 'email']) {
    await call('POST', '/scope/', { name, display_name: name, password_required: false, scheme: {} }, admin);
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await call(
    'POST',
    '/mod/plugin/',
    {
      module: 'oidc',
      name: 'oidc',
      display_name: 'OpenID Connect',
      enabled: true,
      parameters: {
        iss: issuer,
        'jwt-type': 'ecdsa',
        'jwt-key-size': '256',
        key: privateKey,
        cert: publicKey,
        'code-duration': 600,
        'access-token-duration': 3600,
        'refresh-token-duration': 1209600,
        'allow-non-oidc': false,
        'auth-type-code-enabled': true,
        'pkce-allowed': true,
        'subject-type': 'public',
        'name-claim': 'mandatory',
        'email-claim': 'mandatory',
        claims: sendsOwnClaims ? claims : [],
      },
    },
    admin,
  );
  await call(
    'POST',
    '/client/',
    {
      client_id: client.clientId,
      name: 'Colophon',
      enabled: true,
      confidential: true,
      client_secret: client.clientSecret,
      redirect_uri: [client.callbackUrl.href],
      authorization_type: ['code'],
      token_endpoint_auth_method: ['client_secret_post'],
      scope: [],
    },
    admin,
  );

  async function untilListening(): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    while (true) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`Glewlwyd did not start:\n${log}`);
      const isListening = await fetch(`${origin}/config`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isListening) return;
      await wait(50);
    }
  }

  return {
    issuer,
    async addUser({ username, email, groups, isEmailVerified }) {
      const user = {
        username,
        name: `User ${username}`,
        email,
        enabled: true,
        password,
        scope: ['g_profile', 'openid', 'profile', 'email'],
        ...(groups === undefined ? {} : { groups }),
        ...(isEmailVerified === undefined ? {} : { 'email-verified': isEmailVerified ? 'yes' : 'no' }),
      };
      await call('POST', '/user/', user, admin);
    },
    async signIn(address, username) {
      const login = await fetch(address, { redirect: 'manual' });
      const page = new URL(login.headers.get('location') ?? '', address);
      const cookie = await authenticate(username, password);
      const scope = new URL(address).searchParams.get('scope') ?? '';
      await call('PUT', `/auth/grant/${client.clientId}/`, { scope }, cookie);
      const back = new URL(page.searchParams.get('callback_url') ?? '');
      back.searchParams.set('g_continue', '');
      const response = await fetch(back, { redirect: 'manual', headers: { cookie } });
      return new URL(response.headers.get('location') ?? '', back);
    },
    async stop() {
      child.kill('SIGTERM');
      await exit;
      await rm(folder, { recursive: true });
    },
  };
}

const configurationOf = ({ port, origin, file }: { port: number; origin: string; file: string }): string => `
port = ${port}
bind_address = "127.0.0.1"
external_url = "${origin}"
login_url = "login.html"
api_prefix = "api"
log_mode = "console"
log_level = "WARNING"
cookie_secure = 0
session_expiration = 3600
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "/usr/lib/glewlwyd/user"
client_module_path = "/usr/lib/glewlwyd/client"
user_auth_scheme_module_path = "/usr/lib/glewlwyd/scheme"
plugin_module_path = "/usr/lib/glewlwyd/plugin"
hash_algorithm = "SHA512"
database = { type = "sqlite3"; path = "${file}"; };
`;
