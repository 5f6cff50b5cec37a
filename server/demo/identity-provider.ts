/** The identity provider that demo mode brings along: real OpenID Connect, made-up people, no passwords. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import Provider, { type Configuration, errors, type InteractionResults } from 'oidc-provider';
import { listenError } from '../start-error.ts';
import { ExpiringMemory, memoryAdapter } from './identity-memory.ts';
import { chooserPage, messagePage, pageFiles, pageHeaders, type Store } from './identity-pages.ts';
import { type Person, readPerson, subjectOf } from './identity-people.ts';

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

/**
 * @returns the provider's address, and what ends it at once, whatever is under way.
 * @throws {StartError} when the port cannot be listened on: it names the port and its setting.
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { host, port, issuer } = options;
  const server = createServer(demoProvider(options).callback()).listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { portSetting: 'DEMO_IDENTITY_PORT', port, host });
  });
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Browsers keep connections open for as long as they are allowed to.
        server.closeAllConnections();
      }),
  };
}

function demoProvider(options: IdentityProviderOptions): Provider {
  const { issuer, clientId, storeOrigin, onError = () => {} } = options;
  const people = new ExpiringMemory<Person>();
  const provider = new Provider(issuer, configurationOf(options, people));
  provider.on('server_error', (_context, error) => onError(error));
  // Koa would write errors to the console; what is thrown is caught below.
  provider.silent = true;

  /** @throws {errors.SessionNotFound} unless this browser has the sign-in of this id under way. */
  async function checkAttempt({ req, res }: Context, uid: string): Promise<void> {
    const attempt = await provider.interactionDetails(req, res);
    if (attempt.uid !== uid) throw new errors.SessionNotFound('the address is of another sign-in');
  }

  async function signInAs(person: Person): Promise<InteractionResults> {
    const accountId = subjectOf(person);
    people.set(accountId, person, grantLifetimeS);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope('openid profile email');
    return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
  }

  async function takeForm(context: Context, uid: string, isCancelled: boolean): Promise<void> {
    const { req, res, request } = context;
    const refuse = (status: number, message: string): void =>
      show(context, status, messagePage(options, 'This was not accepted', message));
    if (!isFromOwnPage(context, issuer)) return refuse(403, 'The form was sent from another site.');
    if (!context.is('urlencoded')) return refuse(415, 'Only the form on this site can be sent here.');
    // Browsers tell the length of every form, and Node reads no more than was told.
    if (!(request.length <= longestFormBytes)) return refuse(413, 'The form holds too much.');

    await checkAttempt(context, uid);
    const person = readPerson(new URLSearchParams(await text(req)));
    if (!isCancelled && 'faults' in person) {
      return show(context, 400, chooserPage(options, context.path, person));
    }
    const result = isCancelled
      ? { error: 'access_denied', error_description: 'the sign-in was cancelled' }
      : await signInAs(person);
    context.status = 303;
    context.redirect(await provider.interactionResult(req, res, result));
  }

  const headers = pageHeaders(storeOrigin);
  provider.use(async (context, next) => {
    context.set(headers);
    const [, uid, cancel] = /^\/sign-in\/([\w-]+)(\/cancel)?$/.exec(context.path) ?? [];
    const file = pageFiles.get(context.path);
    try {
      if (file) {
        context.set('cache-control', 'max-age=86400');
        context.type = file.type;
        context.body = file.body;
      } else if (uid && context.method === 'POST') {
        await takeForm(context, uid, cancel !== undefined);
      } else if (uid && !cancel) {
        await checkAttempt(context, uid);
        show(context, 200, chooserPage(options, context.path));
      } else {
        await next();
        if (context.status === 404 && !context.body) {
          show(context, 404, messagePage(options, 'There is no page here', 'The address may be mistyped.'));
        }
      }
    } catch (error) {
      showError(context, error, options);
      if (context.status < 500) return;
      onError(error instanceof Error ? error : new Error('the demo provider failed', { cause: error }));
    }
  });
  return provider;
}

function configurationOf(options: IdentityProviderOptions, people: ExpiringMemory<Person>): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    adapter: memoryAdapter,
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
        redirect_uris: [options.redirectUri],
      },
    ],
    clientBasedCORS: () => false,
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
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ sub, ...person, email_verified: true }) };
    },
    renderError: (context, { error, error_description: description }, cause) => {
      if (cause instanceof errors.SessionNotFound || context.status >= 500) {
        showError(context, cause, options);
        return;
      }
      const reason = description ? `${error}: ${description}` : error;
      const message = `The store’s request was not accepted (${reason}).`;
      show(context, context.status, messagePage(options, 'This sign-in cannot go on', message));
    },
  };
}

type Context = Parameters<Parameters<Provider['use']>[0]>[0];

function show(context: Context, status: number, page: string): void {
  context.status = status;
  context.type = 'html';
  context.body = page;
}

function showError(context: Context, error: unknown, store: Store): void {
  if (error instanceof errors.SessionNotFound) {
    const advice = 'It was finished, given up or left open for too long. You can start again from the store.';
    show(context, 410, messagePage(store, 'This sign-in has ended', advice));
  } else {
    const advice = 'The demo identity provider failed. Try again from the store.';
    show(context, 500, messagePage(store, 'Something went wrong here', advice));
  }
}

/**
 * Browsers say where a form came from in Sec-Fetch-Site or, the older ones, in Origin. The latter is `null` for pages
 * that send no referrer, such as these; then it is the interaction's unguessable id that vouches for the page.
 */
function isFromOwnPage(context: Context, issuer: string): boolean {
  const site = context.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin';
  return ['', 'null', new URL(issuer).origin].includes(context.get('origin'));
}
