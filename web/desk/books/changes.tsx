import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { changeText } from '../../../contract/desk/change-text.ts';
import type { ChangeBooks, ChangedBooks, UndoBooks } from '../../../contract/desk/changed-books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { amountToCents } from '../../../contract/money.ts';
import { send } from '../../api/calls.ts';
import { isTransient } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { withReason } from '../../components/with-reason.ts';
import { money } from '../../store-config.ts';
import { useAct } from '../acts.tsx';
import { Panel } from '../panel.tsx';

/** Changes the books of these versions, or only reports what the change would do. A repeated call changes no book twice. */
export const changeBooks = (
  books: readonly DeskBook[],
  change: ChangeBooks['change'],
  { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal } = {},
): Promise<ChangedBooks> => {
  const versions = books.map(({ _id, version }) => ({ _id, version }));
  const json: ChangeBooks = { books: versions, change, dryRun };
  return send('POST', deskPaths.booksChange, json, signal && { signal });
};

const reasons: Record<ChangedBooks['skipped'][number]['reason'], string> = {
  gone: 'not for sale any more',
  changed: 'changed meanwhile',
  same: 'so already',
  invalid: 'not possible',
};

/** @returns a sentence such as `2 books stay as they are: 1 so already, 1 changed meanwhile.`; empty for none. */
const skippedText = (skipped: ChangedBooks['skipped']): string => {
  if (skipped.length === 0) return '';
  const parts = Object.entries(reasons).flatMap(([reason, words]) => {
    const count = skipped.filter((book) => book.reason === reason).length;
    return count > 0 ? `${count.toLocaleString('en')} ${words}` : [];
  });
  const verb = skipped.length === 1 ? 'stays as it is' : 'stay as they are';
  return `${counted(skipped.length, 'book')} ${verb}: ${parts.join(', ')}.`;
};

export const toldOf = ({ changed, skipped }: ChangedBooks, done = 'Changed') => {
  const [only] = changed;
  if (!only) return { text: `No book was changed. ${skippedText(skipped)}`.trim() };
  const what =
    changed.length === 1
      ? `${only.title}: ${changeText(only, money)}.`
      : `${done} ${counted(changed.length, 'book')}.`;
  return {
    text: `${what} ${skippedText(skipped)}`.trim(),
    // The call is not repeated automatically: it would take its own change for another editor's.
    undo: async () => {
      try {
        // Books that have changed since stay as they are.
        const books = changed.map(({ _id, version, from }) => ({ _id, version, ...from }));
        const undone = await send<ChangedBooks>('POST', deskPaths.booksUndo, { books } satisfies UndoBooks);
        return `Took back the change of ${counted(undone.changed.length, 'book')}. ${skippedText(undone.skipped)}`.trim();
      } catch (error) {
        if (!isTransient(error)) throw error;
        return withReason('We have not heard whether it was taken back.', error);
      }
    },
  };
};

const setDeleted = (isDeleted: boolean) => ({
  where: ({ removedAt }: DeskBook) => (removedAt === null) === isDeleted,
  run: async (books: readonly DeskBook[]) =>
    toldOf(await changeBooks(books, { isDeleted }), isDeleted ? 'Deleted' : 'Restored'),
});

export const deleteBooks = { name: 'Delete', ...setDeleted(true) };
export const restoreBooks = { name: 'Restore', ...setDeleted(false) };

const kinds = {
  percent: { name: 'Raise or lower price', label: 'Percent (−10 lowers)', example: '-10' },
  price: { name: 'Set price', label: money.named('New price'), example: '9.99' },
  addSubject: { name: 'Add a subject', label: 'Subject', example: 'Sea' },
  removeSubject: { name: 'Remove a subject', label: 'Subject', example: 'Sea' },
} as const;
type Kind = keyof typeof kinds;

const changeOf = (kind: Kind, typed: string): ChangeBooks['change'] | undefined => {
  const text = typed.trim().replace('−', '-');
  if (text === '') return undefined;
  if (kind === 'addSubject') return { addSubject: text };
  if (kind === 'removeSubject') return { removeSubject: text };
  if (kind === 'price') return amountToCents(text) === undefined ? undefined : { price: { value: text } };
  const percent = Number(text.replace(/\s*%$/, ''));
  return percent >= -100 && percent <= 1000 ? { pricePercent: percent } : undefined;
};

/** The wait for another key before a preview is requested: the store counts a preview as a change, and allows 600 a minute. */
const pauseMs = 300;

type ChangePanelProps = { rows: readonly DeskBook[]; close: (isDone: boolean) => void };

/** Changes the price or a subject of the selected books, after a preview of what happens to each. */
export const ChangePanel = ({ rows: books, close }: ChangePanelProps) => {
  const { act, isBusy } = useAct(false);
  const [kind, setKind] = useState<Kind>('percent');
  const [typed, setTyped] = useState('');
  const change = changeOf(kind, typed);
  const preview = useQuery({
    queryKey: ['desk', 'change of books', change, books.map(({ _id, version }) => `${_id} ${version}`)],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      signal.throwIfAborted();
      return await changeBooks(books, change ?? { pricePercent: 0 }, { dryRun: true, signal });
    },
    enabled: change !== undefined,
    gcTime: 0,
    placeholderData: (before) => before,
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const problem = 'We have not heard whether the books were changed.';
    if (change && !isBusy)
      act({ run: async () => toldOf(await changeBooks(books, change)), problem, onDone: () => close(true) });
  };
  const { name, label, example } = kinds[kind];
  const { changed, skipped } = (change && preview.data) ?? { changed: [], skipped: [] };
  const count = changed.length;
  return (
    <Panel heading={`Change ${counted(books.length, 'book')}`} onClose={() => close(false)}>
      <form className="stack" onSubmit={submit} noValidate>
        <fieldset className="cluster">
          <legend className="soft">What to change</legend>
          {(Object.keys(kinds) as Kind[]).map((one) => (
            <label key={one} className="choice">
              <input type="radio" name="kind" checked={one === kind} onChange={() => setKind(one)} />
              {kinds[one].name}
            </label>
          ))}
        </fieldset>
        <Field
          label={label}
          value={typed}
          placeholder={example}
          // The dialog looks for this attribute, which React does not write.
          ref={(field) => field?.setAttribute('autofocus', '')}
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="cluster">
          <Button type="submit" variant="primary" isBusy={isBusy || count === 0}>
            {count > 0 ? `Apply to ${counted(count, 'book')}` : 'Apply'}
          </Button>
        </div>
        <p role="status">
          {preview.isError && withReason('There is no preview.', preview.error)}
          {skippedText(skipped)}
        </p>
        {count > 0 && (
          <section className="stack tight" aria-label={`Preview: ${name}`}>
            <h3>Preview</h3>
            <ul className="ruled">
              {changed.map((book) => (
                <li key={book._id} className="cluster ends">
                  <cite dir="auto">{book.title}</cite>
                  <span className="figures">{changeText(book, money)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </form>
    </Panel>
  );
};
