/** The last page of the popup: it sends the outcome on the attempt's BroadcastChannel and closes the popup. */

import { paths } from '../../contract/paths.ts';
import { type SignInOutcome, signInChannel } from '../../contract/sign-in.ts';
import { escapeHtml } from '../http/escape-html.ts';

/** A channel, because the provider's Cross-Origin-Opener-Policy may have cut the popup off from its opener. */
export const popupScript = `const { channel, signedIn } = document.body.dataset;
const outcome = new BroadcastChannel(channel);
outcome.postMessage({ signedIn: signedIn === 'true' });
outcome.close();
window.close();
`;

/** @param channel the random name of the attempt. */
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
