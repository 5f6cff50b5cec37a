/** The tables, as Kysely types them. Times are milliseconds since 1970, prices integer cents, truths 0 or 1. */

import type { Generated, Kysely } from 'kysely';

export type Tables = {
  books: {
    /** Counts up as books are added: the order of the shelf, newest first. */
    seq: Generated<number>;
    id: string;
    title: string;
    author: string;
    image: string;
    price_cents: number;
    /** Title and author as search compares them, see catalogue/search-text.ts. */
    search_text: string;
    /** The title as the shelf sorts it. */
    title_sort: string;
    added_at: number;
    added_by: string | null;
    /** Set: taken off the shelf. The row stays, for the undo and for who looks back. */
    removed_at: number | null;
    removed_by: string | null;
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
  };
  sessions: {
    /** SHA-256 of the id in the cookie: who reads the table cannot sign in with it. */
    id_hash: string;
    customer_id: string;
    created_at: number;
    last_seen_at: number;
  };
  /** A snapshot each: an order reads the same whatever becomes of the book or the customer's name. */
  orders: {
    /** First in every key: the customer is what orders are distributed by. */
    customer_id: string;
    id: string;
    idempotency_key: string | null;
    request_hash: string | null;
    book_id: string;
    title: string;
    author: string;
    price_cents: number;
    /** The checkout day as the buyer's browser wrote it. */
    time: string;
    buyer_name: string;
    buyer_email: string;
    placed_at: number;
  };
  images: {
    id: string;
    width: number;
    height: number;
    created_at: number;
  };
  image_renditions: {
    image_id: string;
    width: number;
    bytes: Uint8Array;
  };
};

export type Db = Kysely<Tables>;
