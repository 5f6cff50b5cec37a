import { expect, test } from 'vitest';
import { popupPage } from './popup-page.ts';

test('the last page of the popup escapes the name of its channel', () => {
  const page = popupPage('"><script>alert(1)</script>', { signedIn: true });

  expect(page).toContain('data-channel="sign-in-&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
});
