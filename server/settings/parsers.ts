import ipaddr from 'ipaddr.js';
import { isPlainEmail } from '../../contract/email.ts';
import { tidyText, withoutUnseen } from '../../contract/pasted-text.ts';
import { ibanFault } from '../payments/iban.ts';
import { type AdminClaim, readAdminClaim } from '../sign-in/admin-claim.ts';

/**
 * Reads a setting's text, and reports what is wrong with it. The message follows the setting's name, and omits a value that may contain a
 * password or a key, because faults are logged. @returns undefined for a wrong text: then the default applies.
 */
export type Parse<Value> = (text: string, report: (message: string) => void) => Value | undefined;

/** Removes invisible characters, which a number or an address copied from a page or a mail may contain. */
const pasted =
  <Value>(parse: Parse<Value>): Parse<Value> =>
  (value, report) =>
    parse(withoutUnseen(value), report);

const matching = (isValid: (value: string) => boolean, faultOf: (value: string) => string): Parse<string> =>
  pasted((value, report) => {
    if (isValid(value)) return value;
    report(faultOf(value));
    return undefined;
  });

function works(call: () => unknown): boolean {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}

export const maxPort = 65_535;

export const text: Parse<string> = (value) => value;

export const shortText =
  (maxLength: number): Parse<string> =>
  (value, report) => {
    if ([...value].length > maxLength) report(`is longer than ${maxLength} characters`);
    return value;
  };

export const wholeNumber = (min: number, max: number): Parse<number> =>
  pasted((value, report) => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    report(`"${value}" is not a whole number from ${min} to ${max}`);
    return undefined;
  });

export const choice =
  <Value extends string>(...values: readonly Value[]): Parse<Value> =>
  (value, report) => {
    const known = values.find((one) => one === value);
    if (!known) report(`"${value}" is none of ${values.join(', ')}`);
    return known;
  };

export const onOrOff: Parse<boolean> = (value, report) => {
  const known = choice('on', 'off')(value, report);
  return known && known === 'on';
};

const list = (isValid: (item: string) => boolean, kind: string): Parse<string[]> =>
  pasted((value, report) => {
    const items = itemsOf(value);
    for (const item of items) {
      if (!isValid(item)) report(`${item.includes('://') ? 'an address' : `"${item}"`} is not ${kind}`);
    }
    return items;
  });

const itemsOf = (value: string): string[] => value.split(/\s*,\s*/).filter((item) => item !== '');

export const url: Parse<URL> = pasted((value, report) => {
  const parsed = URL.parse(value);
  const isHttp = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  const hasLogin = parsed?.username || parsed?.password;
  if (parsed && isHttp && !hasLogin && !parsed.hash && isHostName(parsed.hostname)) return parsed;
  report(hasLogin ? 'must not contain a user or a password' : 'is not an http(s) address');
  return undefined;
});

export const origin: Parse<string> = (value, report) => {
  const parsed = url(value, report);
  if (parsed && (parsed.pathname !== '/' || parsed.search)) report('must be an origin, without a path');
  return parsed?.origin;
};

export const email = matching(isPlainEmail, (value) => `"${value}" is not an e-mail address`);

export const emails = list(isPlainEmail, 'an e-mail address');

const isOrigin = (value: string): boolean =>
  URL.parse(value)?.origin === value && isHostName(new URL(value).hostname);

/** A URL's host may contain `;` or `*`, which have another meaning in the pages' Content-Security-Policy. */
const isHostName = (hostname: string): boolean => /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname);

export const origins = list(isOrigin, 'an origin such as https://shop.example');

export const imageOrigins = list(
  (item) => item === 'https:' || (isOrigin(item) && item.startsWith('https://')),
  'an https origin in lower case without a path, such as https://covers.example',
);

export const networks = list(
  // With /0 every client could claim any address, so the framework refuses it.
  (item) =>
    !/\/0+$/.test(item) && (ipaddr.IPv6.isValidCIDR(item) || ipaddr.IPv4.isValidCIDRFourPartDecimal(item)),
  'a network in CIDR form such as 10.0.0.0/8',
);

/** A name of the IANA time zone database. `Intl` also accepts offsets such as +01:00, whose days are wrong for half of the year. */
export const timeZone = matching(
  (value) => /^[A-Za-z]/.test(value) && works(() => new Intl.DateTimeFormat('en', { timeZone: value })),
  (value) => `"${value}" is not a time zone such as Europe/Berlin`,
);

/** Currencies of ISO 4217 with three or four decimals. Prices are whole hundredths inside the store. */
const otherwiseDivided = 'BHD CLF IQD JOD KWD LYD OMR TND UYW';

export const currency: Parse<string> = pasted((value, report) => {
  if (!Intl.supportedValuesOf('currency').includes(value))
    report(`"${value}" is not a currency code of ISO 4217 such as EUR`);
  if (otherwiseDivided.includes(value))
    report(
      `"${value}" cannot be used: the store has prices with two decimals or none, and this currency has others`,
    );
  return value;
});

export const adminClaim: Parse<AdminClaim> = (value, report) => {
  const claim = readAdminClaim(value);
  if (!claim) report(`"${value}" is not a claim and its value, such as groups:shop-admins`);
  return claim;
};

const isOfPostgres = (value: string): boolean => /^postgres(ql)?:\/\//.test(value);
const isPercentEncoded = (value: string): boolean => works(() => decodeURIComponent(value));

/**
 * `pg` reads a port from the query too, and waits for ever for one that is no number. A hash, an `@` or another slash behind the host are
 * those of a password, whose beginning would be taken for the host and the port.
 */
export function isPostgresUrl(value: string): boolean {
  const parsed = isOfPostgres(value) ? URL.parse(value) : null;
  if (!parsed) return false;
  const { username, password, pathname, search, hash, searchParams } = parsed;
  const port = searchParams.get('port') || '1';
  const isWhole =
    hash === '' &&
    /^\/?[^/@]*$/.test(pathname) &&
    (username !== '' || searchParams.has('user') || !search.includes('@'));
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= maxPort;
  return isWhole && isPort && isPercentEncoded(username + password);
}

const encodingHint = '; in a user or password write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25';

/** The address of a server or a file. @returns a file without a name for a wrong address. */
export const database: Parse<{ engine: 'postgres'; url: string } | { engine: 'sqlite'; file: string }> = (
  value,
  report,
) => {
  const url = withoutUnseen(value);
  if (isPostgresUrl(url)) return { engine: 'postgres', url };
  const file = value.startsWith('sqlite:') ? value.slice('sqlite:'.length) : '';
  if (file === '') {
    const hint = isOfPostgres(url) ? encodingHint : '';
    report(`must be sqlite:<file> or postgres://…, with a port from 1 to 65535${hint}`);
  }
  if (/^[~$]/.test(file)) report('begins with ~ or $, which only a shell replaces: write the whole path');
  // An in-memory database is refused: each connection would open its own.
  if (file === ':memory:') report('must name a file');
  return { engine: 'sqlite', file };
};

export const postgresUrl = matching(isPostgresUrl, () => `must be postgres://…${encodingHint}`);

export const mailServer: Parse<URL> = pasted((value, report) => {
  const server = URL.parse(value) ?? undefined;
  const isSmtp =
    server && /^smtps?:$/.test(server.protocol) && server.hostname !== '' && /^\/?$/.test(server.pathname);
  if (!isSmtp || server.search || server.hash) {
    report('must be smtp://host or smtps://host, with user:password@ before the host and :port after it');
  }
  if (server && !isPercentEncoded(server.username + server.password)) {
    report('has a % in its user or password that is not percent-encoded (%25)');
  }
  return server;
});

export const mailbox: Parse<{ name: string; address: string }> = (value, report) => {
  const [, name = '', inBrackets, alone] = /^(?:([^<>"]*?)\s*<([^<>\s]+)>|([^<>\s]+))$/.exec(value) ?? [];
  const address = withoutUnseen(inBrackets ?? alone ?? '');
  if (/^[^\s@,;]+@[^\s@,;]+$/.test(address)) return { name: tidyText(name), address };
  report('is not an address such as Shop <orders@shop.example>');
  return undefined;
};

/** At least 16 characters that a bearer token may have (RFC 6750, section 2.1). */
export const bearerToken: Parse<string> = (value, report) => {
  if (!/^[\w.~+/-]{16,}=*$/.test(value)) report('must have at least 16 letters, digits or any of -._~+/');
  return value;
};

export const contact = matching(
  (value) =>
    value.startsWith('mailto:')
      ? isPlainEmail(value.slice('mailto:'.length))
      : value.startsWith('https://') && URL.canParse(value),
  () => 'is not a mailto: or https: address',
);

/** Reads secrets in the format of Standard Webhooks: `whsec_` and the Base64 of 24 to 64 bytes; two secrets while one is replaced. */
export const webhookSecrets: Parse<Buffer[]> = (value, report) => {
  const items = itemsOf(value);
  const secrets = items.map((item) => Buffer.from(item.slice('whsec_'.length), 'base64'));
  const isSecret = (secret: Buffer, index: number) =>
    items[index] === `whsec_${secret.toString('base64')}` && secret.length >= 24 && secret.length <= 64;
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    report('must be whsec_ and the Base64 of 24 to 64 random bytes');
  }
  return secrets;
};

/** A key that is sent as a header: the message of an error about another text could have the key. */
export const key = matching(
  (value) => /^[!-~]+$/.test(value),
  () => 'has blanks, line breaks or other characters that no key has',
);

export const iban: Parse<string> = pasted((value, report) => {
  const compact = value.replace(/\s/g, '').toUpperCase();
  const fault = ibanFault(compact);
  if (fault) report(fault);
  return compact;
});

export const bic = matching(
  (value) => /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(value),
  (value) => `"${value}" is not a BIC of 8 or 11 capitals and digits`,
);

/** The name of an account's holder, which is a line of the code that banking apps read (EPC069-12, AT-21): of 331 bytes with the others. */
export const accountName = matching(
  (value) => /^\P{Cc}{1,70}$/u.test(value) && Buffer.byteLength(value) <= 210,
  () => 'is longer than 70 characters, or has a line break',
);
