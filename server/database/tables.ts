/** The types of the tables, for Kysely. Times are milliseconds since 1970, prices integer cents, booleans 0 or 1. */

import type { Generated, Kysely } from 'kysely';
import type { BookColumns } from '../../contract/book-fields.ts';
import type { MailKind } from '../../contract/desk/mail.ts';
import type { EventType } from '../../contract/desk/webhooks.ts';

export type Tables = {
  books: BookColumns & {
    /** Counts up as books are added: in descending order, the newest book is first. */
    seq: Generated<number>;
    id: string;
    /** Its searched texts in the form that search compares, see search/search-text.ts. */
    search_text: string;
    /** The title and the first author in that form, for the best matches; null until the book is indexed. */
    title_key: string | null;
    author_key: string | null;
    /** The version of its texts; null or a lower one for those of an older version of the store (catalogue/index-books.ts). */
    is_indexed: number | null;
    /** Title and author in the form that the catalogue is sorted by (search/sort-keys.ts); null as those above. */
    title_sort: string;
    author_sort: string | null;
    added_at: number;
    added_by: string | null;
    /** Set for a book that is off the shelf: deleted or sold out. The row stays, for the undo and for the record. */
    removed_at: number | null;
    /** The same time, for one that is sold out and not deleted. */
    sold_out_at: number | null;
    /** Copies that can be sold: null for any number, 4 for 4 and more (catalogue/copies.ts). */
    copies_left: number | null;
    /** The customer who removed it last; it stays when the book is restored. */
    removed_by: string | null;
    /** The request’s that added it, with a hash of that request; null for a request without a key. */
    idempotency_key: string | null;
    request_hash: string | null;
    /** When a field was changed last, or the book restored; null for one that was not since it was added. */
    changed_at: number | null;
    /** When the owner put it on the front table; null for a book that is not on it (front-table/front-table.ts). */
    front_table_at: number | null;
    /** Counts the edits: two editors of one version would overwrite each other (catalogue/edit-book.ts). */
    version: Generated<number>;
  };
  /** The copies of the books that have a number of them. */
  copies: {
    id: Generated<number>;
    book_id: string;
    /** The order that took it; null while it can be sold. */
    order_id: string | null;
  };
  /** One row: the owner's words at the front table; empty for none. */
  front_table: {
    id: number;
    heading: string;
    words: string;
  };
  /** The audit trail: what admins and scripts did (activity/activity.ts). */
  activity: {
    seq: Generated<number>;
    at: number;
    action: string;
    customer_id: string | null;
    /** The customer's e-mail at that time. */
    customer_email: string | null;
    /** The IP address that the request came from, or `command`; null for removals that an older version recorded. */
    address: string | null;
    book_id: string | null;
    book_title: string | null;
    /** The name of the token that a script sent. */
    token: string | null;
    /** The id of what was changed, where it is no book: an order, a customer, a token's name. */
    subject: string | null;
    /** JSON: what else is worth knowing, never anything personal. */
    details: string | null;
  };
  /** The words of the books for sale, which misspelt ones are compared with. */
  words: {
    word: string;
    /** How many books have it; 0 for one that no book has any more. */
    books: number;
  };
  /** The first seven letters of each word, also without one or two of them (search/words.ts). */
  word_deletions: {
    deletion: string;
    word: string;
  };
  /** SQLite's full-text index of the books for sale; `rowid` is their `seq`, negative. */
  books_search: {
    rowid: number;
    search_text: string;
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
    /** Set for a customer who may not sign in. */
    blocked_at: number | null;
    /** Set when everything personal was removed; issuer, sub, email, name and photo then say nothing. */
    erased_at: number | null;
  };
  /** Scripts send theirs as `Authorization: Bearer` (access/tokens.ts). */
  tokens: {
    name: string;
    /** SHA-256: a reader of the table cannot use it. */
    hash: string;
    may: string;
    created_at: number;
    last_used_at: number | null;
    revoked_at: number | null;
  };
  sessions: {
    /** SHA-256 of the id in the cookie: a reader of the table cannot sign in with it. */
    id_hash: string;
    customer_id: string;
    created_at: number;
    last_seen_at: number;
    /** The `OIDC_ISSUER` that it began under; null for a session that an older version started. */
    provider_issuer: string | null;
    /** The provider's `sid` (OpenID Connect Front-Channel Logout, section 3), for a logout that names only that. */
    provider_session: string | null;
    /** The ADMIN_CLAIM that the customer had at this sign-in, such as `groups:shop-admins`. */
    admin_claim: string | null;
    /** The provider's `address` claim at this sign-in, with which a checkout begins. */
    delivery_address: string | null;
  };
  /** Sign-in attempts that are under way. */
  sign_in_attempts: {
    /** The SHA-256 of the value of its cookie, in base64url. */
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
    /** First in every key, so that orders can be distributed by customer. */
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
    /** When the shop sent the book. */
    sent_at: number | null;
    /** The address to send it to, in lines; null where the buyer gave none. */
    delivery_address: string | null;
    /** When the address was changed after the order. */
    address_corrected_at: number | null;
    /** For so many days after it was sent the buyer may withdraw; 0 for none, null for an order of an older version. */
    withdrawal_days: number | null;
    withdrawn_at: number | null;
    withdrawn_by: 'customer' | 'shop' | null;
    withdrawal_reason: string | null;
    /** When the owner noted that the money went back, and that the book came back. */
    refunded_at: number | null;
    returned_at: number | null;
    /** The owner's own words about it. */
    note: string | null;
  };
  /** Messages about orders: those that are due, and those of the last 30 days (outbox/record.ts). */
  outbox: {
    /** `mail` goes to the buyer or the shop, `webhooks` to another program. */
    sender: 'mail' | 'webhooks';
    id: string;
    kind: MailKind | EventType;
    order_id: string;
    /** When that happened which it tells. */
    created_at: number;
    /** When it is to be sent, or tried again; while a node sends it, until when no other one may. Null when nobody will. */
    due_at: number | null;
    attempts: Generated<number>;
    /** Why the last attempt failed, without addresses. */
    error: string | null;
    /** When the server took it. Null with `due_at`: it was given up, or, without an error, kept back from an unverified address. */
    done_at: number | null;
    /** SHA-256 of the e-mail, for a receipt that counts for its address (mail/receipt-limit.ts). */
    address_hash: string | null;
  };
  /** Sales of each quarter of an hour, up to `sales_progress` (orders/sales-sums.ts). */
  sales_quarters: {
    /** Since 1970. */
    quarter: number;
    orders: number;
    revenue_cents: number;
  };
  /** Sums of each book on each day of UTC, in days since 1970. */
  sales_books_by_day: {
    day: number;
    book_id: string;
    orders: number;
    revenue_cents: number;
  };
  /** The same for each month, by its first day. */
  sales_books_by_month: {
    month: number;
    book_id: string;
    orders: number;
    revenue_cents: number;
  };
  /** Sums of each book in all. */
  sales_books: {
    book_id: string;
    orders: number;
    revenue_cents: number;
    /** It says nothing for a book of which each order was withdrawn. */
    last_sold_at: number;
  };
  /** Sums of each customer in all. */
  sales_customers: {
    customer_id: string;
    orders: number;
    revenue_cents: number;
  };
  /** One row: the orders with a lower id are in the tables above. */
  sales_progress: {
    id: number;
    until_id: string;
  };
  images: {
    id: string;
    width: number;
    height: number;
    created_at: number;
    /** The customer who uploaded it last; null for the demo's, and for images that an older version stored. */
    uploaded_by: string | null;
    /** The colour that most of it has, as #rrggbb; null until it is found (images/complete-images.ts). */
    colour: string | null;
  };
  image_renditions: {
    image_id: string;
    width: number;
    bytes: Uint8Array;
  };
  /** One row after the first backup by `shop database backup` that was checked; none before. */
  last_backup: {
    id: number;
    /** The backup has every change that was acknowledged before. */
    started_at: number;
    bytes: number;
  };
  /** On SQLite alone: its one row counts the changes of the books, by triggers (catalogue-version.ts). */
  catalogue_changes: {
    id: number;
    count: number;
  };
  /** On SQLite alone: its one row counts the changes of sessions and of customers, by triggers (sign-in/known-sessions.ts). */
  session_changes: {
    id: number;
    count: number;
  };
  /** Kysely's record of the migrations that were applied. One that an older version of the store made has a column more. */
  kysely_migration: {
    name: string;
    /** In ISO 8601. */
    timestamp: string;
  };
};

/** The database, or a transaction of it. */
export type Db = Kysely<Tables>;
