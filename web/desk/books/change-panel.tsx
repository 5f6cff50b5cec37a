import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useDeferredValue, useState } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { changeText } from '../../../contract/desk/change-text.ts';
import type { ManyBooksChange } from '../../../contract/desk/changed-books.ts';
import { changeBooks } from '../../api/desk-book-changes.ts';
import { deskBooksKey } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { withReason } from '../../components/with-reason.ts';
import panel from '../panel.module.css';
import { Panel } from '../panel.tsx';
import styles from './change-panel.module.css';
import { skippedText, type Undoable, undoable } from './changes.ts';

type ChangePanelProps = {
  books: readonly DeskBook[];
  /** @param done what was done; undefined for nothing. */
  onClose: (done?: Undoable | string) => void;
};

const kinds = {
  percent: { name: 'Raise or lower price', label: 'Percent (−10 lowers)', example: '-10' },
  price: { name: 'Set price', label: 'New price ($)', example: '9.99' },
  addSubject: { name: 'Add a subject', label: 'Subject', example: 'Sea' },
  removeSubject: { name: 'Remove a subject', label: 'Subject', example: 'Sea' },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

/** @returns the change; undefined for a text that is none. */
const changeOf = (kind: Kind, typed: string): ManyBooksChange | undefined => {
  const text = typed.trim().replace('−', '-');
  if (text === '') return undefined;
  if (kind === 'addSubject') return { addSubject: text };
  if (kind === 'removeSubject') return { removeSubject: text };
  if (kind === 'price') return /^\d{1,7}(?:\.\d{1,2})?$/.test(text) ? { price: { value: text } } : undefined;
  const percent = Number(text.replace(/\s*%$/, ''));
  return percent >= -100 && percent <= 1000 ? { pricePercent: percent } : undefined;
};

/** Changes the price or a subject of the books that are selected, after a look at what becomes of each. */
export const ChangePanel = ({ books, onClose }: ChangePanelProps) => {
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<Kind>('percent');
  const [typed, setTyped] = useState('');
  const change = useDeferredValue(changeOf(kind, typed));
  const preview = useQuery({
    queryKey: ['desk', 'change of books', change, books.map(({ _id, version }) => `${_id} ${version}`)],
    queryFn: ({ signal }) => changeBooks(books, change ?? { pricePercent: 0 }, { dryRun: true, signal }),
    enabled: change !== undefined,
    gcTime: 0,
    placeholderData: (before) => (change ? before : undefined),
  });
  const changing = useMutation({
    mutationFn: (change: ManyBooksChange) => changeBooks(books, change, { dryRun: false }),
    onSuccess: async (result) => {
      await queryClient.invalidateQueries({ queryKey: deskBooksKey });
      onClose(undoable(result));
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const now = changeOf(kind, typed);
    if (now && !changing.isPending) changing.mutate(now);
  };
  const { name, label, example } = kinds[kind];
  const count = change && preview.data?.changed.length;
  return (
    <Panel heading={`Change ${counted(books.length, 'book')}`} onClose={() => onClose()}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <fieldset className={styles.kinds}>
          <legend>What to change</legend>
          {kindNames.map((one) => (
            <label key={one}>
              <input type="radio" name="kind" checked={one === kind} onChange={() => setKind(one)} />
              {kinds[one].name}
            </label>
          ))}
        </fieldset>
        <label className={styles.value}>
          <span>{label}</span>
          <input
            key={kind}
            value={typed}
            placeholder={example}
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the person has just asked for the panel.
            autoFocus
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <div className={styles.actions}>
          <Button type="submit" variant="primary" isBusy={changing.isPending || !count}>
            {count ? `Apply to ${counted(count, 'book')}` : 'Apply'}
          </Button>
          <Button onClick={() => onClose()}>Cancel</Button>
        </div>
        <p role="status">
          {changing.isError &&
            withReason('We have not heard whether the books were changed.', changing.error)}
          {preview.isError && withReason('There is no preview.', preview.error)}
          {change && preview.data && skippedText(preview.data.skipped)}
        </p>
        {change && preview.data && preview.data.changed.length > 0 && (
          <section aria-label={`Preview: ${name}`}>
            <h3>Preview</h3>
            <ul className={`${panel.lines} ${styles.preview}`}>
              {preview.data.changed.map((book) => (
                <li key={book._id}>
                  <cite dir="auto">{book.title}</cite>
                  <span>{changeText(book)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </form>
    </Panel>
  );
};
