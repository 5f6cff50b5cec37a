import type { Settings } from './settings.ts';

/** `name` may be empty. */
export type Mailbox = { name: string; address: string };

/** Who mail is from. */
export type Sender = { storeName: string; publicUrl: URL; from: Mailbox };

/** Without MAIL_FROM mail is shown alone. */
export const senderOf = ({
  storeName,
  publicUrl,
  mail,
}: Pick<Settings, 'storeName' | 'publicUrl' | 'mail'>): Sender => ({
  storeName,
  publicUrl,
  from: mail?.from ?? { name: storeName, address: `orders@${publicUrl.hostname}` },
});
