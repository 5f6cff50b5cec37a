/** A provider takes payments on its own page. Each has a file beside this one, whose client is loaded at its first use. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Charge, Payment } from './payments.ts';

/** A session as its provider tells it. Sums are integer hundredths, as everywhere in the store. */
type Told = {
  id: string;
  /** ISO 4217, in capitals. */
  currency: string;
  cents: number;
  /** The sum that went back, also by a dispute that was lost. */
  refundedCents: number;
  /** The id by which the provider's events name the money of the session. */
  intent: string | null;
  /** The buyer may still pay, or the payment is under way. */
  isOpen: boolean;
  url: string | null;
};

/**
 * `done`: where the buyer goes after paying; `back`: where they go without. `key`: the same key opens the same session. `expiresAt`: the end of
 * the session, where the provider lets the store choose it. Times are in ms since 1970.
 */
export type Opening = {
  urls: Record<'done' | 'back' | 'webhook', string>;
  key: string;
  expiresAt: number;
};

export type Provider = {
  name: string;
  open(payment: Payment, opening: Opening): Promise<Pick<Told, 'id' | 'url'> & { expiresAt: number | null }>;
  /** @throws {UnknownSession} */
  ask(chargeId: string, payment: Payment): Promise<Told>;
  /** @param key the same key refunds once. */
  refund(charge: Pick<Charge, 'id' | 'intent'>, cents: number, payment: Payment, key: string): Promise<void>;
  /** Reads a webhook. @returns the id of a session or of its money; undefined for an event of something else. @throws if its signature is wrong. */
  idOf(rawBody: string, headers: IncomingHttpHeaders): Promise<string | undefined>;
};

/** A provider has no such session, as after the shop has changed to another account or from test keys to live ones. */
export class UnknownSession extends Error {}

export const providerTimeoutMs = 10_000;

/** The buyer's browser would run a `javascript:` address. */
export const isPage = (url: string): boolean => /^https?:\/\//.test(url);

/** An answer that cannot be true is a failure, and the store asks again. */
export const isTrue = (told: Told, { id }: Charge, { currency }: Payment): boolean =>
  told.id === id &&
  told.currency === currency &&
  [told.cents, told.refundedCents].every((sum) => Number.isSafeInteger(sum) && sum >= 0) &&
  (told.url === null || isPage(told.url));
