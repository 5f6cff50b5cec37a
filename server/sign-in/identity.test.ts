import { describe, expect, test } from 'vitest';
import { addressFrom, identityFrom } from './identity.ts';
import { popupPage } from './popup-page.ts';

const idToken = { iss: 'https://id.example', sub: '1', email: 'ada@example.com', name: 'Ada' };
const withoutEmail = { iss: 'https://id.example', sub: '1' };

describe('the identity from the provider', () => {
  test.each([
    [{}, { isEmailVerified: false, photo: '', name: 'Ada' }],
    [{ email_verified: true }, { isEmailVerified: true }],
    [{ email_verified: 'true' }, { isEmailVerified: true }],
    [{ email_verified: 'True' }, { isEmailVerified: true }],
    [{ email_verified: null }, { isEmailVerified: false }],
    [{ picture: 'https://id.example/ada.jpg' }, { photo: 'https://id.example/ada.jpg' }],
    [{ picture: 'javascript:alert(1)' }, { photo: '' }],
    [{ picture: 'https:// "><script>' }, { photo: '' }],
    [{ picture: `https://id.example/${'a'.repeat(2000)}` }, { photo: '' }],
    [{ name: ' ', preferred_username: 'ada' }, { name: 'ada' }],
    [{ name: undefined }, { name: 'ada@example.com' }],
    [{ name: 7 }, { name: 'ada@example.com' }],
    [{ name: undefined, given_name: ' Ada ', family_name: 'Reader\u200b' }, { name: 'Ada Reader' }],
    [{ name: '', family_name: 'Reader', preferred_username: 'ada' }, { name: 'Reader' }],
    [{ given_name: 'Augusta', family_name: 'Reader' }, { name: 'Ada' }],
  ])('with the claims %j has %j', (changed, identity) => {
    expect(identityFrom({ ...idToken, ...changed })).toMatchObject(identity);
  });

  test('is rejected for any other email_verified: only true verifies', () => {
    const others = [false, 'false', 'False', 'untrue', 'true ', 'yes', '', 0, 1, [], [true], ['true'], {}];
    for (const email_verified of others)
      expect(() => identityFrom({ ...idToken, email_verified }), JSON.stringify(email_verified)).toThrow(
        expect.objectContaining({ outcome: 'unverified_email' }),
      );
  });

  test('is rejected for an e-mail or a subject that is none', () => {
    const unusable = [
      { email: undefined },
      { email: '' },
      { email: 'no address' },
      { email: ['ada@example.com'] },
      { email: `${'a'.repeat(320)}@example.com` },
      { email: 'ada\u0000@example.com' },
      { email: 'ada\ud800@example.com' },
      { email: '\u202eada@example.com' },
      // Unicode white space, and other characters that trim() removes.
      ...[...'\t\n\v\f\r \u00a0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'].flatMap(
        (space) => [
          { email: `${space}ada@example.com`, email_verified: true },
          { email: `ada@example.com${space}`, email_verified: true },
        ],
      ),
      // Characters with a meaning in mail headers, and a control character of C1.
      ...[...'<>(),;:\\"[]\u0085'].flatMap((character) => [
        { email: `${character}ada@example.com` },
        { email: `ada@${character}example.com` },
      ]),
      { sub: '' },
      { sub: 'a\u0000' },
      { sub: '\ud800' },
      { sub: '\u2066a' },
      { sub: 'a'.repeat(256) },
    ];
    for (const changed of unusable)
      expect(() => identityFrom({ ...idToken, ...changed }), JSON.stringify(changed)).toThrow(
        expect.objectContaining({ outcome: 'unusable_identity' }),
      );
  });

  test('has no name, user name or picture of unclean text', () => {
    for (const text of ['a\u0000b', 'a\nb', '\ud800', '\u202ekcab', '\u2067a']) {
      const unclean = { name: text, preferred_username: text, picture: `https://id.example/${text}` };
      expect(identityFrom({ ...idToken, ...unclean })).toMatchObject({ name: 'ada@example.com', photo: '' });
    }
  });

  test('has at most 200 characters of a name, none of them cut in half', () => {
    expect(identityFrom({ ...idToken, name: 'a'.repeat(5000) }).name).toBe('a'.repeat(200));
    expect(identityFrom({ ...idToken, name: `${'a'.repeat(199)}🐉` }).name).toBe('a'.repeat(199));
  });
});

test('an e-mail from userinfo is verified by userinfo alone, replaces none of the ID token, and comes without the issuer and the subject of userinfo', () => {
  const userInfo = { iss: 'https://evil.example', sub: 'root', email: 'root@example.com', name: 'Root' };
  const verified = { ...userInfo, email_verified: true };

  const fromUserInfo = { issuer: 'https://id.example', sub: '1', email: 'root@example.com', name: 'Root' };
  expect(identityFrom({ ...withoutEmail, email_verified: true }, userInfo)).toMatchObject({
    ...fromUserInfo,
    isEmailVerified: false,
  });
  expect(identityFrom(withoutEmail, verified)).toMatchObject({ ...fromUserInfo, isEmailVerified: true });
  expect(identityFrom(idToken, verified)).toMatchObject({ email: 'ada@example.com', isEmailVerified: false });
  expect(() =>
    identityFrom({ ...withoutEmail, email_verified: true }, { ...userInfo, email_verified: false }),
  ).toThrow(/unverified/);
});

test('the last page of the popup escapes the name of its channel', () => {
  const page = popupPage('"><script>alert(1)</script>', { signedIn: true });

  expect(page).toContain('data-channel="sign-in-&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
});

describe('the address from the provider', () => {
  test.each([
    [{ formatted: ' 1 Hartfield Lane\r\n\r\nHighbury ' }, '1 Hartfield Lane\nHighbury'],
    [
      {
        ...{ street_address: '1 Hartfield Lane\nFlat 2', postal_code: 'KT20', locality: 'Highbury' },
        ...{ region: 'Surrey', country: 'England' },
      },
      '1 Hartfield Lane\nFlat 2\nKT20 Highbury\nSurrey\nEngland',
    ],
    [{ formatted: ' ', locality: 'Highbury', country: 7 }, 'Highbury'],
    [{}, null],
    ['Highbury', null],
    [{ formatted: 'x'.repeat(501) }, null],
    [{ formatted: 'Highbury\u0000' }, null],
    [{ formatted: '\u202aHighbury\u202c' }, 'Highbury'],
    [{ formatted: 'High\u202ebury' }, null],
  ])('of the claim %j is %j', (address, text) => {
    expect(addressFrom({}, { address })).toBe(text);
  });
});
