/** The types of the tables, for Kysely. Times are milliseconds since 1970, prices integer cents, booleans 0 or 1. */

import type { Generated, Kysely } from 'kysely';
import type { BookColumns } from '../../contract/book-fields.ts';
import type { MailKind } from '../../contract/desk/mail.ts';
import type { EventType } from '../../contract/desk/webhooks.ts';

export type Tables = {
  books: BookColumns & {
    seq: Generated<number>;
    id: string;
    /** The text in the form that search compares (search/search-text.ts). */
    search_text: string;
    title_key: string | null;
    author_key: string | null;
    /** The version of the book's texts; null until it is indexed (catalogue/index-books.ts). */
    is_indexed: number | null;
    /** Title and author in the form by which the catalogue is sorted (search/sort-keys.ts). */
    title_sort: string;
    author_sort: string | null;
    added_at: number;
    added_by: string | null;
    /** The time when the book was deleted or sold out. The row stays, for the undo and for the record. */
    removed_at: number | null;
    /** The time when the book was sold out, equal to `removed_at`; null for a deleted book. */
    sold_out_at: number | null;
    /** Copies that can be sold: null for any number, 4 for 4 and more (catalogue/copies.ts). */
    copies_left: number | null;
    removed_by: string | null;
    idempotency_key: string | null;
    request_hash: string | null;
    changed_at: number | null;
    front_table_at: number | null;
    version: Generated<number>;
  };
  stock: {
    book_id: string;
    left: number;
  };
  front_table: {
    id: number;
    heading: string;
    words: string;
  };
  activity: {
    seq: Generated<number>;
    at: number;
    action: string;
    customer_id: string | null;
    customer_email: string | null;
    address: string | null;
    book_id: string | null;
    book_title: string | null;
    token: string | null;
    /** The id of an order or a customer, or a token's name. */
    subject: string | null;
    /** JSON, never anything personal. */
    details: string | null;
  };
  words: {
    word: string;
    books: number;
  };
  /** The first seven letters of each word, and what remains of them without one or two letters. */
  word_deletions: {
    deletion: string;
    word: string;
  };
  customers: {
    id: string;
    issuer: string;
    sub: string;
    email: string;
    is_email_verified: number;
    name: string;
    photo: string;
    created_at: number;
    blocked_at: number | null;
    /** The time of the erasure. After it, issuer, sub, email, name and photo mean nothing. */
    erased_at: number | null;
  };
  tokens: {
    name: string;
    hash: string;
    may: 'catalogue' | 'orders';
    created_at: number;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  sessions: {
    /** The SHA-256 of the cookie's value: a reader of the table cannot sign in with it. */
    id_hash: string;
    customer_id: string;
    created_at: number;
    last_seen_at: number;
    provider_issuer: string | null;
    /** The provider's `sid` (OpenID Connect Front-Channel Logout, section 3). */
    provider_session: string | null;
    /** The ADMIN_CLAIM that the customer had at this sign-in, such as `groups:shop-admins`. */
    admin_claim: string | null;
    delivery_address: string | null;
  };
  sign_in_attempts: {
    id: string;
    state: Generated<string>;
    nonce: Generated<string>;
    code_verifier: Generated<string>;
    return_to: Generated<string>;
    channel: Generated<string>;
    created_at: number;
  };
  /** Each row is a snapshot: an order stays the same when the book or the customer's name changes. */
  orders: {
    /** The customer is first in every key, so that orders can be distributed by customer. */
    customer_id: string;
    id: string;
    idempotency_key: string | null;
    request_hash: string | null;
    book_id: string;
    title: string;
    author: string;
    price_cents: number;
    /** The checkout day in the format of the buyer's browser. */
    time: string;
    buyer_name: string;
    buyer_email: string;
    placed_at: number;
    sent_at: number | null;
    delivery_address: string | null;
    address_corrected_at: number | null;
    /** For this many days after it was sent, the buyer may withdraw; 0 for none, null for an order of an older version. */
    withdrawal_days: number | null;
    withdrawn_at: number | null;
    withdrawn_by: 'customer' | 'shop' | null;
    withdrawal_reason: string | null;
    refunded_at: number | null;
    returned_at: number | null;
    note: string | null;
    /** 1 while the order has a copy of its book, which is given back at most once. */
    has_copy: number | null;
    /** The short name of the order, for people: orders/order-number.ts. */
    number: string;
    currency: Generated<string>;
    /** The way to get the book, with its name and price when it was ordered; null for an order without one. */
    way_id: string | null;
    delivery_name: string | null;
    delivery_cents: number | null;
    /** 1 for an order whose way asks for an address, 0 for one whose way does not; null for an order without a way. */
    asks_address: number | null;
    pays_on_collection: number | null;
    /** The words for a gift, which may be empty; null for an order that is no gift. */
    gift: string | null;
    /** When the order was cancelled, because it was not paid in time. */
    cancelled_at: number | null;
    /** Where the parcel is: an address, or the carrier and a number. */
    tracking: string | null;
  };
  /** Messages about orders: those that are due, and those of the last 30 days (outbox/record.ts). Nothing uses the column `address_hash`. */
  outbox: {
    sender: 'mail' | 'webhooks';
    id: string;
    kind: MailKind | EventType;
    order_id: string;
    created_at: number;
    /** When to send the message, or to try again. While a node sends it: until when no other node may send it. Null: it is not to be sent. */
    due_at: number | null;
    attempts: Generated<number>;
    error: string | null;
    /** When the server accepted the message. Null with `due_at`: given up or, without an error, kept back from an unverified address. */
    done_at: number | null;
  };
  ways: {
    id: string;
    name: string;
    price_cents: number;
    asks_address: number;
    pay_on_collection: number;
    line: string;
    position: number;
  };
  /** Versions of the pages of the shop: the last one of a slug is shown, unless it is a removal. */
  pages: {
    seq: Generated<number>;
    slug: string;
    title: string;
    markdown: string;
    is_removed: number;
    at: number;
  };
  /** A row has the amount due for an order, and the sums that its charges brought and refunded. */
  payments: {
    /** The order's number. */
    reference: string;
    order_id: string;
    currency: string;
    cents: number;
    state: 'due' | 'paid' | 'refunded' | 'expired';
    /** The way that it was paid by; null before. */
    way: string | null;
    /** The charge that paid it. What other charges bring is surplus. */
    charge_id: string | null;
    due_until: number;
    paid_cents: Generated<number>;
    refunded_cents: Generated<number>;
    paid_at: number | null;
    /** A change of the row counts it: a writer that has read an older version writes nothing. */
    version: Generated<number>;
  };
  /** A provider's session or a bank's entry, with the money that came by it. */
  charges: {
    id: string;
    reference: string;
    way: string;
    /** The provider's id of the payment in the session, by which its refunds are found; of a transfer, the bank's entry. */
    intent: string | null;
    cents: Generated<number>;
    refunded_cents: Generated<number>;
    created_at: number;
    expires_at: number | null;
    /** When the sweep asks the provider next; null when there is nothing more to ask. */
    ask_at: number | null;
    /** When it was decided that the money goes back; null for money that the shop keeps. */
    refund_at: number | null;
  };
  images: {
    id: string;
    width: number;
    height: number;
    created_at: number;
    uploaded_by: string | null;
    colour: string | null;
  };
  image_renditions: {
    image_id: string;
    width: number;
    bytes: Uint8Array;
  };
  last_backup: {
    id: number;
    started_at: number;
    bytes: number;
  };
  /** A database that an older version of the store made has one more column. */
  kysely_migration: {
    name: string;
    timestamp: string;
  };
};

export type Db = Kysely<Tables>;
