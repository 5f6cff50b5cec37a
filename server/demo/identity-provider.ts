/** The identity provider that demo mode brings along: real OpenID Connect, made-up people, no passwords. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Provider, { errors } from 'oidc-provider';
import { listenError } from '../start-error.ts';
import { ExpiringMemory, memoryAdapter } from './identity-memory.ts';
import {
  chooserPage,
  endedPage,
  mark,
  markPath,
  messagePage,
  pageHeaders,
  styleSheet,
  styleSheetPath,
} from './identity-pages.ts';
import { demoPeople, type Person, readTypedPerson, subjectOf } from './identity-people.ts';

export type IdentityProviderOptions = {
  host: string;
  port: number;
  /** The address that browsers and the store use, such as `http://localhost:3001`. */
  issuer: string;
  storeName: string;
  clientId: string;
  /** Sent in the body of the token request (client_secret_post, openid-client's default). */
  clientSecret: string;
  redirectUri: string;
  storeOrigin: string;
  /** Told what went wrong on the provider's side. People see a plain page. */
  onError?: ((error: Error) => void) | undefined;
};

export type IdentityProvider = { issuer: string; close(): Promise<void> };

const interactionLifetimeS = 30 * 60;
const tokenLifetimeS = 5 * 60;
const codeLifetimeS = 60;
/** From the choice of a person to the last use of its tokens. */
const grantLifetimeS = codeLifetimeS + tokenLifetimeS;

const longestFormBytes = 10 * 1024;

const scopes = 'openid profile email';

/** @throws when the port cannot be listened on: a StartError that names it and its setting. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { host, port, issuer } = options;
  const server = createServer(demoProvider(options).callback());
  await listen(server, { host, port });
  return {
    issuer,
    async close() {
      const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Browsers keep connections open for as long as they are allowed to.
      server.closeAllConnections();
      await isClosed;
    },
  };
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { portSetting: 'DEMO_IDENTITY_PORT', port, host });
  });
}

function demoProvider(options: IdentityProviderOptions): Provider {
  const { issuer, clientId, clientSecret, redirectUri, storeOrigin, onError = () => {} } = options;
  const people = new ExpiringMemory<Person>();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  const provider = new Provider(issuer, {
    adapter: memoryAdapter,
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
        redirect_uris: [redirectUri],
      },
    ],
    clientAuthMethods: ['client_secret_post'],
    clientBasedCORS: () => false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: ['openid'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // The id token says it all, so that signing in asks nothing more of the provider.
    conformIdTokenClaims: false,
    // Provider sessions are not kept (see memoryAdapter), so nothing can depend on one.
    expiresWithSession: async () => false,
    routes: { authorization: '/authorize', jwks: '/jwks', token: '/token', userinfo: '/userinfo' },
    cookies: {
      // Ports share a host's cookies: the names and paths keep these apart from the store's.
      names: {
        session: 'demo_identity_session',
        interaction: 'demo_identity_interaction',
        resume: 'demo_identity_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', path: '/authorize' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: tokenLifetimeS,
      AuthorizationCode: codeLifetimeS,
      Grant: grantLifetimeS,
      IdToken: tokenLifetimeS,
      Interaction: interactionLifetimeS,
      Session: interactionLifetimeS,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
    },
    interactions: { url: (_context, { uid }) => signInPath(uid) },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ sub, ...person, email_verified: true }) };
    },
    renderError: (context, { error, error_description: description }, cause) => {
      context.type = 'html';
      if (cause instanceof errors.SessionNotFound) {
        context.status = 410;
        context.body = endedPage(options);
      } else if (context.status >= 500) {
        context.body = brokenPage(options);
      } else {
        const message = `The store’s request was not accepted (${error}${description ? `: ${description}` : ''}).`;
        context.body = messagePage('This sign-in cannot go on', message, options);
      }
    },
  });

  provider.on('server_error', (_context, error) => onError(error));
  // Koa would write errors to the console; what is thrown is caught below.
  provider.silent = true;

  const signIn = signInPages(provider, people, options);
  const headers = pageHeaders(storeOrigin);
  provider.use(async (context, next) => {
    context.set(headers);
    try {
      const answer = (await signIn(context.req, context.res, context)) ?? staticAnswer(context);
      if (answer) {
        context.status = answer.status;
        context.set(answer.headers ?? {});
        context.type = answer.type ?? 'html';
        context.body = answer.body ?? '';
        return;
      }
      await next();
      if (context.status === 404 && !context.body) {
        // A body makes it a 200 unless the status was set.
        context.status = 404;
        context.type = 'html';
        context.body = messagePage('There is no page here', 'The address may be mistyped.', options);
      }
    } catch (error) {
      onError(error instanceof Error ? error : new Error('the demo provider failed', { cause: error }));
      context.status = 500;
      context.type = 'html';
      context.body = brokenPage(options);
    }
  });
  return provider;
}

type Asked = { method: string; path: string };
type Answer = { status: number; type?: string; headers?: Record<string, string>; body?: string };

function staticAnswer({ method, path }: Asked): Answer | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const headers = { 'cache-control': 'max-age=86400' };
  if (path === styleSheetPath) return { status: 200, type: 'css', headers, body: styleSheet };
  if (path === markPath) return { status: 200, type: 'svg', headers, body: mark };
  return undefined;
}

const brokenPage = (options: IdentityProviderOptions): string =>
  messagePage(
    'Something went wrong here',
    'The demo identity provider failed. Try again from the store.',
    options,
  );

const signInPath = (uid: string): string => `/sign-in/${uid}`;

/** The chooser, what is chosen on it, and giving up. Answers nothing to other addresses. */
function signInPages(
  provider: Provider,
  people: ExpiringMemory<Person>,
  options: IdentityProviderOptions,
): (request: IncomingMessage, response: ServerResponse, asked: Asked) => Promise<Answer | undefined> {
  const { storeName, clientId } = options;
  const refusal = (status: number, message: string): Answer => ({
    status,
    body: messagePage('This was not accepted', message, options),
  });

  async function signInAs(person: Person) {
    const accountId = subjectOf(person);
    people.set(accountId, person, grantLifetimeS);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(scopes);
    return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
  }

  return async (request, response, { method, path }) => {
    const [, uid, cancel] = /^\/sign-in\/([\w-]+)(\/cancel)?$/.exec(path) ?? [];
    if (uid === undefined) return undefined;

    const isPost = method === 'POST';
    if (!isPost && (cancel || (method !== 'GET' && method !== 'HEAD'))) return undefined;
    if (isPost && !isFromOwnPage(request, options.issuer)) {
      return refusal(403, 'The form was sent from another site.');
    }
    if (isPost && !isForm(request)) return refusal(415, 'Only the form on this site can be sent here.');
    const form = isPost ? await readForm(request) : undefined;
    if (form === 'too large') {
      // The rest of the body stays unread, so the connection cannot carry another request.
      return { ...refusal(413, 'The form holds too much.'), headers: { connection: 'close' } };
    }

    const finish = async (result: Parameters<Provider['interactionResult']>[2]): Promise<Answer> => ({
      status: 303,
      headers: { location: await provider.interactionResult(request, response, result) },
    });
    try {
      const interaction = await provider.interactionDetails(request, response);
      if (interaction.uid !== uid) return { status: 410, body: endedPage(options) };
      if (!form) return { status: 200, body: chooserPage({ storeName, path: signInPath(uid) }) };
      if (cancel) {
        return await finish({ error: 'access_denied', error_description: 'the sign-in was cancelled' });
      }

      const demoPerson = demoPeople.find(({ email }) => email === form.get('person'));
      if (demoPerson) return await finish(await signInAs(demoPerson));
      const typed = readTypedPerson(form);
      if (Object.keys(typed.faults).length > 0) {
        return { status: 400, body: chooserPage({ storeName, path: signInPath(uid), typed }) };
      }
      return await finish(await signInAs({ name: typed.name, email: typed.email }));
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return { status: 410, body: endedPage(options) };
      throw error;
    }
  };
}

/**
 * Browsers say where a form came from in Sec-Fetch-Site or, the older ones, in Origin. The latter is `null` for pages
 * that send no referrer, such as these; then it is the interaction's unguessable id that vouches for the page.
 */
function isFromOwnPage({ headers }: IncomingMessage, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return (
    headers.origin === undefined || headers.origin === 'null' || headers.origin === new URL(issuer).origin
  );
}

const isForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';

async function readForm(request: IncomingMessage): Promise<URLSearchParams | 'too large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the request: the answer goes over the same socket.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > longestFormBytes) return 'too large';
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
