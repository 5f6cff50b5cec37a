/** How the store sends mail. */
export type MailSettings = {
  /** The SMTP server: `smtp://` or `smtps://`, with a user and a password where it wants them. */
  url: URL;
  /** The sender of receipts, to which the shop's notices go too. `name` may be empty. */
  from: { name: string; address: string };
  /** Receipts also go to addresses that the identity provider has not verified. */
  sendsUnverified: boolean;
};

/**
 * Reads `Shop <orders@shop.example>` or the address alone.
 * @returns undefined for anything else.
 */
export function readMailbox(text: string): MailSettings['from'] | undefined {
  const [, name = '', inBrackets, alone] =
    /^(?:([^<>"]*?)\s*<([^<>\s]+)>|([^<>\s]+))$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? alone ?? '';
  return /^[^\s@,;]+@[^\s@,;]+$/.test(address) ? { name: name.trim(), address } : undefined;
}
