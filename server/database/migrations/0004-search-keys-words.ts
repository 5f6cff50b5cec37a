import { addColumns, statements } from './statements.ts';

/** The books get these texts later (catalogue/index-books.ts). */
export const up = statements(({ isPostgres, text, withoutRowid }) => [
  ...addColumns('books', `title_key ${text}, author_key ${text}, keywords ${text}, is_indexed integer`),
  // The index is empty at first, so no read waits until it is built.
  `create index books_for_sale_by_title_key on books (title_key, seq)
    where removed_at is null and title_key is not null`,
  `create index books_for_sale_by_author_key on books (author_key, seq)
    where removed_at is null and author_key is not null`,
  'create index books_not_indexed on books (seq) where is_indexed is null',
  ...(isPostgres ? [] : oneTriggerOfTwo),
  `create table words (word ${text} not null primary key, books bigint not null) ${withoutRowid}`,
  `create table word_deletions (
    deletion ${text} not null, word ${text} not null,
    constraint word_deletions_primary primary key (deletion, word)
  ) ${withoutRowid}`,
]);

/**
 * SQLite does not promise the order of several triggers. The trigger that adds a book to the search ran before the trigger that removes it,
 * and an update that keeps the text took the book out of the search.
 */
const oneTriggerOfTwo = [
  'drop trigger books_search_forget',
  'drop trigger books_search_learn',
  `create trigger books_search_update after update of removed_at, search_text on books begin
    insert into books_search (books_search, rowid, search_text)
      select 'delete', -old.seq, old.search_text where old.removed_at is null;
    insert into books_search (rowid, search_text)
      select -new.seq, new.search_text where new.removed_at is null;
  end`,
];
