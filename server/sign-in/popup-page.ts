/** The last page of the popup: it sends the outcome on the attempt's BroadcastChannel and closes the popup. */

import type { FastifyReply } from 'fastify';
import { paths, screens } from '../../contract/paths.ts';
import { type SignInOutcome, signInChannel } from '../../contract/sign-in.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { pagePolicy } from '../http/headers.ts';
import type { Attempt } from './attempts.ts';

/** The page uses a channel, because the provider's Cross-Origin-Opener-Policy may have cut the popup off from its opener. */
export const popupScript = `const { channel, signedIn } = document.body.dataset;
try {
  const outcome = new BroadcastChannel(channel);
  outcome.postMessage({ signedIn: signedIn === 'true' });
  outcome.close();
} catch {
  // In a browser without channels, the store's page asks for the session when it gets the focus again.
}
window.close();
`;

export const popupPage = (channel: string, { signedIn }: SignInOutcome): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign-in</title>
<body data-channel="${escapeHtml(signInChannel(channel))}" data-signed-in="${signedIn}">
<p>${signedIn ? 'You are signed in. ' : ''}This window can be closed.</p>
<script src="${paths.signInPopupScript}"></script>
</body>
</html>
`;

export function sendOutcome(
  reply: FastifyReply,
  { channel, returnTo }: Pick<Attempt, 'channel' | 'returnTo'>,
  signedIn: boolean,
): FastifyReply {
  if (channel !== '') {
    return reply
      .headers(pagePolicy())
      .type('text/html; charset=utf-8')
      .send(popupPage(channel, { signedIn }));
  }
  // The status is explicit, as in the callback: otherwise a failure's 503 would stay, and browsers would not follow.
  return reply.redirect(signedIn ? returnTo : loginAddress(returnTo), 302);
}

export const loginAddress = (returnTo: string): string =>
  `${screens.login}?${new URLSearchParams({ returnTo })}`;
