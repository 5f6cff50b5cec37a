/** The page on which the popup ends: it tells the outcome on the attempt's channel and closes itself. */

import { paths } from '../../contract/paths.ts';
import { type SignInOutcome, signInChannel } from '../../contract/sign-in.ts';

/** The popup may have lost its opener (a provider's Cross-Origin-Opener-Policy), so it speaks on a channel. */
export const popupScript = `const { channel, signedIn } = document.body.dataset;
const speaker = new BroadcastChannel(channel);
speaker.postMessage({ signedIn: signedIn === 'true' });
speaker.close();
window.close();
`;

/** @param channel letters, digits and hyphens only, as the sign-in route's schema makes sure. */
export const popupPage = (channel: string, { signedIn }: SignInOutcome): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign-in</title>
<body data-channel="${signInChannel(channel)}" data-signed-in="${signedIn}">
<p>${signedIn ? 'You are signed in. ' : ''}This window can be closed.</p>
<script src="${paths.signInPopupScript}"></script>
</body>
</html>
`;
