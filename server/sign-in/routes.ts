import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { paths } from '../../contract/paths.ts';
import { backchannelLogoutRoutes } from './backchannel-logout.ts';
import { type CallbackParts, callbackRoute } from './callback-route.ts';
import { type FailureParts, openFailedSignIns } from './failed-sign-in.ts';
import { popupScript } from './popup-page.ts';
import { type SessionRouteParts, sessionRoute } from './session-route.ts';
import { type SignInRouteParts, signInRoute } from './sign-in-route.ts';
import { signOutRoute } from './sign-out-route.ts';

type SignInParts = FailureParts & SessionRouteParts & Omit<SignInRouteParts & CallbackParts, 'failSignIn'>;

/** Sign-in, session and sign-out (spec sections 2 and 4). */
export const signInRoutes: FastifyPluginAsyncTypebox<SignInParts> = async (app, parts) => {
  const attemptParts = { ...parts, failSignIn: openFailedSignIns(parts) };
  await app.register(signInRoute, attemptParts);
  await app.register(callbackRoute, attemptParts);

  app.get(
    paths.signInPopupScript,
    { config: { access: 'public' }, schema: { hide: true, response: { 200: Type.String() } } },
    async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(popupScript),
  );

  await app.register(sessionRoute, parts);
  await app.register(backchannelLogoutRoutes, parts);
  await app.register(signOutRoute, parts);
};
