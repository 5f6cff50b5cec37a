/** The identity provider of demo mode: real OpenID Connect, made-up people, no passwords. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import Provider, {
  type Adapter,
  type AdapterPayload,
  type Configuration,
  errors,
  type InteractionResults,
} from 'oidc-provider';
import { listenError } from '../start-error.ts';
import { chooserPage, messagePage, pageHeaders, type Store } from './identity-pages.ts';
import { type Person, readPerson, subOf } from './identity-people.ts';
import { openPaymentProvider } from './payment-pages.ts';
import type { PaymentsOptions } from './payments.ts';

export type IdentityProviderOptions = Store & {
  host: string;
  port: number;
  /** The address that browsers and the store use, such as `http://localhost:3001`. */
  issuer: string;
  clientId: string;
  /** The secret, sent in the body of the token request (client_secret_post, openid-client's default). */
  clientSecret: string;
  redirectUri: string;
  /** Unset: there is no payment provider at the same address. */
  payments?: Omit<PaymentsOptions, 'origin'>;
  /** Called with the provider's own failures; the visitor sees a plain page. */
  onError?: ((error: unknown) => void) | undefined;
};

export type IdentityProvider = { issuer: string; close(): Promise<void> };

/** The provider's metadata names its store by this id, so that other nodes of the store can use the provider. */
export const demoStoreName = 'colophon_demo_store';

/** Limit of the records of each kind, and of people. A visitor whose record was dropped can begin the sign-in again. */
const maxEntries = 500;

const signInFolder = '/sign-in/';
const interactionLifetimeS = 30 * 60;
const tokenLifetimeS = 5 * 60;
const codeLifetimeS = 60;
const grantLifetimeS = codeLifetimeS + tokenLifetimeS;

/** `close` does not wait for requests in flight. @throws {StartError} if it cannot listen on the port. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { host, port, issuer } = options;
  const server = createServer().listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { portSetting: 'DEMO_IDENTITY_PORT', port, host });
  });
  const answer = demoProvider(options).callback();
  const payments =
    options.payments && openPaymentProvider({ ...options, ...options.payments, origin: issuer });
  server.on('request', (request, response) =>
    payments?.accepts(request) ? payments.handle(request, response) : answer(request, response),
  );
  return { issuer, close: async () => server.close().closeAllConnections() };
}

function demoProvider(options: IdentityProviderOptions): Provider {
  const { issuer, clientId, storeOrigin, onError = () => {} } = options;
  const people = new LRUCache<string, Person>({ max: maxEntries });
  const provider = new Provider(issuer, configurationOf(options, people));
  provider.on('server_error', (_context, error) => onError(error));
  // Without this option Koa also writes errors to the console; the handler below catches them.
  provider.silent = true;

  /** @throws {errors.SessionNotFound} unless this browser is in the middle of the sign-in with this id. No other site knows the id. */
  async function checkAttempt({ req, res }: Context, uid: string): Promise<void> {
    const attempt = await provider.interactionDetails(req, res);
    if (attempt.uid !== uid) throw new errors.SessionNotFound('the address belongs to another sign-in');
  }

  async function signInAs(person: Person): Promise<InteractionResults> {
    const accountId = subOf(person);
    people.set(accountId, person);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope('openid profile email');
    return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
  }

  async function handleForm(context: Context, isCancelled: boolean): Promise<void> {
    const { req, res } = context;
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
  const signInPattern = new RegExp(`^${signInFolder}([\\w-]+)(/cancel)?$`);
  provider.use(async (context, next) => {
    context.set(headers);
    const [, uid, cancel] = signInPattern.exec(context.path) ?? [];
    try {
      if (uid) {
        await checkAttempt(context, uid);
        if (context.method === 'POST') await handleForm(context, cancel !== undefined);
        else show(context, 200, chooserPage(options, context.path));
        return;
      }
      await next();
      if (context.status === 404 && !context.body) {
        show(context, 404, messagePage(options, 'There is no page here', 'The address may be mistyped.'));
      }
    } catch (error) {
      showError(context, error, options);
      if (context.status >= 500) onError(error);
    }
  });
  return provider;
}

function configurationOf(options: IdentityProviderOptions, people: LRUCache<string, Person>): Configuration {
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
        // As a native client, a store may use a callback on any port (RFC 8252, section 7.3): each node has another one.
        application_type: options.redirectUri.startsWith('http:') ? 'native' : 'web',
      },
    ],
    discovery: { [demoStoreName]: options.storeName },
    clientBasedCORS: () => false,
    pkce: { required: () => true },
    scopes: ['openid'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // All claims are in the ID token, so that a sign-in needs no user info request.
    conformIdTokenClaims: false,
    // Provider sessions are not stored, so no token may depend on one.
    expiresWithSession: async () => false,
    routes: { authorization: '/authorize', jwks: '/jwks', token: '/token', userinfo: '/userinfo' },
    cookies: {
      // Ports of one host share its cookies: names and paths separate these cookies from the store's.
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
    interactions: { url: (_context, { uid }) => `${signInFolder}${uid}` },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ sub, ...person, email_verified: true }) };
    },
    renderError: (context, { error, error_description: description }, cause) => {
      if (cause instanceof errors.SessionNotFound || context.status >= 500) {
        return showError(context, cause, options);
      }
      const message = `The store’s request was not accepted (${error}: ${description ?? ''}).`;
      show(context, context.status, messagePage(options, 'This sign-in cannot go on', message));
    },
  };
}

/** @param kind of record, such as `AccessToken`. oidc-provider checks the expiry of each record that it finds. */
function memoryAdapter(kind: string): Adapter {
  const records = new LRUCache<string, AdapterPayload>({ max: maxEntries });
  return {
    // A stored session would sign in the same person again. In a demo the visitor wants to switch persons.
    upsert: async (id, payload) => void (kind === 'Session' || records.set(id, payload)),
    find: async (id) => records.get(id),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: async (id) => void Object.assign(records.get(id) ?? {}, { consumed: Date.now() / 1000 }),
    destroy: async (id) => void records.delete(id),
    async revokeByGrantId(grantId) {
      for (const [id, record] of records) if (record.grantId === grantId) records.delete(id);
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
