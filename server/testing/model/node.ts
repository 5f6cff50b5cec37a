/** A node of the store for sequences: its identity provider believes each identity that it gets, and its mail waits for `sendDueMail`. */

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../database/tables.ts';
import { openLog } from '../../http/log.ts';
import { openMailSender, unsentMail } from '../../mail/mail.ts';
import { DeliveryError } from '../../outbox/delivery-error.ts';
import { readDatabaseSettings } from '../../settings/settings.ts';
import type { Identity } from '../../sign-in/identity.ts';
import type { SignInProvider } from '../../sign-in/provider.ts';
import { noWebhooks } from '../../webhooks/sender.ts';
import { openTestStore } from '../test-store.ts';
import type { Person } from './shop.ts';

export type Node = {
  origin: string;
  isProcess: boolean;
  setClock(now: number): Promise<void>;
  /** Tells the node that the catalogue has changed: a test has emptied it in the database. */
  forget(): void;
  /** Ends it: a process is killed. */
  end(): Promise<void>;
};
/** Opens a node on the database at a `DATABASE_URL`. */
export type OpenNode = (url: string) => Promise<Node>;

export const owner: Person = {
  name: 'owner',
  email: 'owner@shop.example',
  isOwner: true,
  isVerified: true,
  bounces: false,
};

let isClockSet = false;
/**
 * The clock of the store in this process stands still until it is set again, so the time in each answer is known.
 * @param time in milliseconds since 1970; undefined: the real clock again.
 */
export function setClock(time: number | undefined): void {
  if (time === undefined) mock.timers.reset();
  else if (isClockSet) mock.timers.setTime(time);
  else mock.timers.enable({ apis: ['Date'], now: time });
  isClockSet = time !== undefined;
}

export const issuer = 'https://identity.example/';
const publicUrl = new URL('http://localhost:3000');

export const identityOf = ({ name, email, isVerified }: Person): Identity => ({
  issuer,
  sub: name,
  email,
  isEmailVerified: isVerified,
  name,
  photo: '',
});

const randomText = () => randomBytes(32).toString('base64url');
const noMore = {
  providerSession: undefined,
  adminClaim: undefined,
  deliveryAddress: null,
  unreadClaim: undefined,
};
/** The code of a sign-in is the JSON of an identity; a logout token is a subject. */
export const believingProvider: SignInProvider = {
  issuer,
  async begin() {
    const checks = { state: randomText(), nonce: randomText(), codeVerifier: randomText() };
    return { address: new URL(`/authorize?state=${checks.state}`, issuer), checks };
  },
  finish: async (response) => ({ identity: JSON.parse(response.get('code') ?? ''), ...noMore }),
  readLogoutToken: async (sub) => ({ issuer, sub, providerSession: undefined, begunUntil: Date.now() }),
};

export const sender = {
  storeName: 'Colophon',
  timeZone: 'UTC',
  publicUrl,
  from: { name: '', address: 'orders@shop.example' },
};

/** A statement that is fast on a quiet machine may take seconds while others use it. */
export const settingsOf = (url: string) =>
  readDatabaseSettings({
    DATABASE_URL: url,
    DATABASE_CONNECT_TIMEOUT_MS: '60000',
    DATABASE_READ_TIMEOUT_MS: '60000',
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  });

/** Opens a node in this process, on a port of its own. */
export const openNode: OpenNode = async (url) => {
  const store = await openTestStore({
    database: settingsOf(url),
    provider: believingProvider,
    mail: { ...unsentMail('off', sender), mode: 'sent' },
    webhooks: { ...noWebhooks, isOn: true },
    settings: { publicUrl, adminEmails: [owner.email], hasRateLimits: false },
  });
  return {
    origin: store.origin,
    isProcess: false,
    setClock: async (now) => setClock(now),
    forget: store.database.catalogueVersion.recordLocalChange,
    end: store.close,
  };
};

/** Opens a node that is a process of its own. */
export const openNodeProcess: OpenNode = async (url) => {
  const child = fork(new URL('./node-process.ts', import.meta.url), [url]);
  const [origin] = await once(child, 'message');
  return {
    origin,
    isProcess: true,
    async setClock(now) {
      child.send(now);
      await once(child, 'message');
    },
    forget() {},
    async end() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};

/** A claim ends after this time, which no other delay of mail has: all due mail is handled once none is due or claimed. */
const claimMs = 299_999;

/** Sends the mail that is due, as a node does in the background. */
export async function sendDueMail(db: Db, bounces: (address: string) => boolean): Promise<void> {
  const transport = {
    async send({ to }: { to: { address: string } }) {
      if (bounces(to.address)) {
        throw new DeliveryError('message', { message: 'There is no such mailbox.', code: '550' });
      }
    },
    async checkLogin() {},
    close() {},
  };
  const times = { roundMs: 0, pollMs: 60_000, claimMs };
  const log = openLog('silent');
  const mail = openMailSender({ db, sender, sendsUnverified: false, transport, log, times });
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('sender', '=', 'mail')
    .where(({ or, eb }) => or([eb('due_at', '<=', Date.now()), eb('due_at', '=', Date.now() + claimMs)]));
  while (await due.executeTakeFirst()) await pause(2);
  await mail.close();
}
