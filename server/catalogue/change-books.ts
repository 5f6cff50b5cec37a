/** One change of many books, its preview, and its undo. */

import { fieldsByName } from '../../contract/book-fields.ts';
import type { ChangedBooks, ManyBooksChange, UndoBooks } from '../../contract/desk/changed-books.ts';
import { amountToCents, centsToAmount, maxCents } from '../../contract/money.ts';
import { tidyText } from '../../contract/pasted-text.ts';
import type { Money } from '../../contract/price.ts';
import { isInParentheses, keywordParts, subjectsOf } from '../../contract/subjects.ts';
import type { Actor } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { subjectWord } from '../search/search-text.ts';
import { allColumns } from './book-columns.ts';
import { isDeleted, type LockedBook, stockColumns } from './copies.ts';
import { deleteBook, restoreBook } from './delete-book.ts';
import { editBook } from './edit-book.ts';

type Values = { priceCents: number; keywords: string | null; isDeleted: boolean };
type Found = Values & { id: string; version: number; title: string };

type Target = Partial<Values>;
type Wanted = { _id: string; version: number; targetOf: (book: Found) => Target | undefined };

/**
 * Changes books one by one, each with its entry in the audit trail. A book whose version differs from `version` stays as it is, so a
 * repeated change changes no book twice. @param isDryRun only reports what the change would do.
 */
export const changeBooks = (
  db: Db,
  books: readonly { _id: string; version: number }[],
  { change, money, isDryRun = false }: { change: ManyBooksChange; money: Money; isDryRun?: boolean },
  actor: Actor,
): Promise<ChangedBooks> => {
  const targetOfFound = (found: Found) => targetOf(found, change, money);
  const wanted = books.map((book) => ({ ...book, targetOf: targetOfFound }));
  return changeEach(db, wanted, isDryRun, actor);
};

/** Restores the values from before {@link changeBooks}, except of books that have changed since. */
export const undoBooks = (db: Db, books: UndoBooks['books'], actor: Actor): Promise<ChangedBooks> => {
  const wanted = books.map(({ _id, version, price, ...values }) => ({
    _id,
    version,
    targetOf: (): Target => ({
      ...(price !== undefined && { priceCents: amountToCents(price) ?? 0 }),
      ...values,
      ...(values.keywords && { keywords: tidyText(values.keywords) }),
    }),
  }));
  return changeEach(db, wanted, false, actor);
};

async function changeEach(
  db: Db,
  wanted: readonly Wanted[],
  isDryRun: boolean,
  actor: Actor,
): Promise<ChangedBooks> {
  const result: ChangedBooks = { changed: [], skipped: [] };
  const ids = wanted.map(({ _id }) => _id);
  const query = db.selectFrom('books').select([...stockColumns, ...allColumns, 'version']);
  const rows = await query.where('books.id', 'in', ids).execute();
  const found = new Map(rows.map((row) => [row.id, { ...row, isDeleted: isDeleted(row) }]));
  for (const one of wanted) {
    const { _id, version } = one;
    const book = found.get(_id);
    const title = book?.title ?? '';
    const change = book ? changeOf(book, one) : 'gone';
    if (typeof change === 'string') result.skipped.push({ _id, title, reason: change });
    else if (book && !isDryRun && !(await apply(db, book, change, actor)))
      result.skipped.push({ _id, title, reason: 'changed' });
    else {
      const { isDeleted: _, ...edit } = change;
      const isEdited = !isDryRun && Object.keys(edit).length > 0;
      const [from, to] = [present(change, book), present(change, change)];
      result.changed.push({ _id, title, from, to, version: isEdited ? version + 1 : version });
    }
  }
  return result;
}

/** @returns the new values; or the reason why the book stays as it is. */
function changeOf(
  book: Found,
  { version, targetOf }: Wanted,
): Target | ChangedBooks['skipped'][number]['reason'] {
  if (book.version !== version) return 'changed';
  const target = targetOf(book);
  if (!target) return 'invalid';
  const others = Object.entries(target).filter(([name, value]) => value !== book[name as keyof Target]);
  if (others.length === 0) return 'same';
  if (book.isDeleted && target.isDeleted === undefined) return 'gone';
  return Object.fromEntries(others);
}

/** @returns the members of `values` that `change` names. */
const present = (change: Target, values: Target = {}): ChangedBooks['changed'][number]['from'] => ({
  ...('priceCents' in change && { price: centsToAmount(values.priceCents ?? 0) }),
  ...('keywords' in change && { keywords: values.keywords ?? null }),
  ...('isDeleted' in change && { isDeleted: values.isDeleted ?? false }),
});

/** @returns false for a book that was changed meanwhile. */
async function apply(
  db: Db,
  book: Found,
  { isDeleted: isGone, ...edit }: Target,
  actor: Actor,
): Promise<boolean> {
  const isExpected = ({ version }: { version: number }) => version === book.version;
  try {
    if (isGone !== undefined) {
      const isAsSeen = (now: LockedBook) => isExpected(now) && isDeleted(now) === book.isDeleted;
      await (isGone ? deleteBook : restoreBook)(db, book.id, actor, isAsSeen);
    }
    if (Object.keys(edit).length === 0) return true;
    return (await editBook(db, book.id, edit, { actor, isExpected })) !== undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'BOOK_CHANGED') return false;
    throw error;
  }
}

function targetOf(
  { priceCents, keywords }: Found,
  change: ManyBooksChange,
  { stepCents }: Money,
): Target | undefined {
  const { pricePercent, price, addSubject, removeSubject, isDeleted } = change;
  if (pricePercent !== undefined) return priceOf(withPercent(priceCents, pricePercent, stepCents));
  if (price !== undefined) return priceOf(amountToCents(price.value) ?? -1);
  if (addSubject !== undefined) return keywordsOf(withSubject(keywords, addSubject));
  if (removeSubject !== undefined) return keywordsOf(withoutSubject(keywords, removeSubject));
  return isDeleted === undefined ? undefined : { isDeleted };
}

const priceOf = (priceCents: number): Target | undefined =>
  priceCents >= 0 && priceCents <= maxCents ? { priceCents } : undefined;

const keywordsOf = (keywords: string | null | undefined): Target | undefined =>
  keywords !== undefined && (keywords ?? '').length <= fieldsByName.keywords.maxLength
    ? { keywords }
    : undefined;

/**
 * @returns the price in cents, a multiple of `stepCents`, rounded half up, and never below 0. The calculation uses whole hundredths of a
 * per cent, so it is exact.
 */
export const withPercent = (cents: number, percent: number, stepCents: number): number => {
  const unit = 10_000 * stepCents;
  const raised = cents * (10_000 + Math.round(percent * 100));
  return Math.max(0, Math.floor((raised + unit / 2) / unit)) * stepCents;
};

const isSame = (one: string, other: string): boolean => subjectWord(one) === subjectWord(other);

function withSubject(keywords: string | null, text: string): string | null | undefined {
  const subjects = subjectsOf(text);
  if (subjects.length === 0) return undefined;
  const missing = subjects.filter((subject) => !subjectsOf(keywords).some((one) => isSame(one, subject)));
  return missing.length === 0
    ? keywords
    : [...(keywords?.trim() ? [keywords.trim()] : []), ...missing].join(', ');
}

function withoutSubject(keywords: string | null, subject: string): string | null {
  const parts = keywordParts(keywords);
  const rest = parts.filter((part) => isInParentheses(part) || !isSame(part, subject));
  if (rest.length === parts.length) return keywords;
  return rest.map((part, at) => (at === 0 ? '' : isInParentheses(part) ? ' ' : ', ') + part).join('') || null;
}
