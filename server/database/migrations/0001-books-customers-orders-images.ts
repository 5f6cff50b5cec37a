import { statements } from './statements.ts';

export const up = statements(({ isPostgres, text, bytes, counted }) => [
  `create table books (
    seq ${counted} primary key, id ${text} not null unique,
    title ${text} not null, author ${text} not null, image ${text} not null,
    price_cents integer not null check (price_cents >= 0),
    search_text ${text} not null, title_sort ${text} not null,
    added_at bigint not null, added_by ${text}, removed_at bigint, removed_by ${text}
  )`,
  // Partial indexes: a removed book costs nothing. Each of these ends in a unique column, for keyset pages.
  'create index books_for_sale_by_newest on books (seq) where removed_at is null',
  'create index books_for_sale_by_title on books (title_sort, seq) where removed_at is null',
  'create index books_for_sale_by_price on books (price_cents, seq) where removed_at is null',
  // An order names its book by title and author; few books share a title.
  'create index books_for_sale_titled on books (title) where removed_at is null',
  'create index books_image on books (image)',
  ...(isPostgres ? searchAndNotices : searchOnSqlite),
  `create table customers (
    id ${text} not null primary key, issuer ${text} not null, sub ${text} not null,
    email ${text} not null, is_email_verified integer not null, name ${text} not null, photo ${text} not null,
    created_at bigint not null, constraint customers_issuer_sub unique (issuer, sub)
  )`,
  `create table sessions (
    id_hash ${text} not null primary key, customer_id ${text} not null references customers (id),
    created_at bigint not null, last_seen_at bigint not null
  )`,
  'create index sessions_last_seen on sessions (last_seen_at)',
  `create table orders (
    customer_id ${text} not null references customers (id), id ${text} not null,
    idempotency_key ${text}, request_hash ${text},
    book_id ${text} not null, title ${text} not null, author ${text} not null, price_cents integer not null,
    time ${text} not null, buyer_name ${text} not null, buyer_email ${text} not null, placed_at bigint not null,
    constraint orders_primary primary key (customer_id, id),
    constraint orders_once_per_key unique (customer_id, idempotency_key)
  )`,
  `create table images (
    id ${text} not null primary key, width integer not null, height integer not null, created_at bigint not null
  )`,
  `create table image_renditions (
    image_id ${text} not null references images (id) on delete cascade, width integer not null,
    bytes ${bytes} not null, constraint image_renditions_primary primary key (image_id, width)
  )`,
]);

/** Both engines find any three consecutive characters. PostgreSQL notifies each listening node of a committed change. */
const searchAndNotices = [
  'create extension if not exists pg_trgm',
  'create index books_for_sale_search on books using gin (search_text gin_trgm_ops) where removed_at is null',
  // With the default of 100, the planner can mistake a word of 30,000 books for a rare one: it fetches and sorts them
  // all, and the search takes 64 ms instead of 1.5.
  'alter table books alter column search_text set statistics 1000',
  `create function announce_books() returns trigger language plpgsql as 'begin notify catalogue; return null; end'`,
  `create trigger announce_books after insert or update or delete or truncate on books
    for each statement execute function announce_books()`,
];

const forget =
  "insert into books_search (books_search, rowid, search_text) values ('delete', -old.seq, old.search_text)";
const learn = 'insert into books_search (rowid, search_text) values (-new.seq, new.search_text)';
/**
 * The index holds only books for sale, so a removed book costs a search nothing. Its row ids are negative: SQLite yields matches three
 * times as fast in ascending order, and the newest books come first.
 */
const searchOnSqlite = [
  `create virtual table books_search
    using fts5(search_text, content = '', tokenize = 'trigram case_sensitive 1')`,
  `create trigger books_search_insert after insert on books
    when new.removed_at is null begin ${learn}; end`,
  `create trigger books_search_forget after update of removed_at, search_text on books
    when old.removed_at is null begin ${forget}; end`,
  `create trigger books_search_learn after update of removed_at, search_text on books
    when new.removed_at is null begin ${learn}; end`,
  `create trigger books_search_delete after delete on books
    when old.removed_at is null begin ${forget}; end`,
];
