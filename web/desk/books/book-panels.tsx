import { useMutation, useQuery } from '@tanstack/react-query';
import type { Book, BookChanges } from '../../../contract/book.ts';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { amountToCents, centsToAmount } from '../../../contract/money.ts';
import { paths } from '../../../contract/paths.ts';
import { ApiProblem, callApi, isTransient, retryTransient } from '../../api/client.ts';
import { additionMessage, useAddBook } from '../../books/add-book.ts';
import { changesBetween, differences, textsOf } from '../../books/book-texts.ts';
import { type Draft, mayDiscard, newBookId, removeDraft, typedIn } from '../../books/drafts.ts';
import { Fetched } from '../../components/fetched.tsx';
import { withReason } from '../../components/with-reason.ts';
import { money } from '../../store-config.ts';
import { useTell } from '../acts.tsx';
import { Panel } from '../panel.tsx';
import { type BookForm, PanelForm } from './panel-form.tsx';

export const AddPanel = ({ onClose }: { onClose: () => void }) => {
  const tell = useTell();
  const { add, adding } = useAddBook(newBookId, ({ title }) => {
    onClose();
    void tell({ text: `Added ${title.trim()}: it is for sale.` });
  });
  return (
    <Panel heading="Add a book" mayClose={() => mayDiscard(newBookId)} onClose={onClose}>
      <PanelForm
        saving={adding}
        messageOf={additionMessage}
        onSubmit={({ typed }) => add(typed)}
        onClose={onClose}
      />
    </Panel>
  );
};

export const EditPanel = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const opening = useQuery({
    queryKey: ['desk', 'edited book', id],
    queryFn: ({ signal }) => fetchBook(id, signal),
    gcTime: 0,
  });
  return (
    <Panel heading="Edit book" mayClose={() => mayDiscard(id)} onClose={onClose}>
      <Fetched query={opening} problem="The book could not be fetched.">
        {(opened) => <EditForm {...opened} onClose={onClose} />}
      </Fetched>
    </Panel>
  );
};

/** A book, and its texts as they were when the editing began. */
type OpenedBook = { book: DeskBook; stored: Draft['opened'] };

/** @throws {ApiProblem} with status 404 when the book was deleted. */
const fetchBook = async (id: string, signal?: AbortSignal): Promise<OpenedBook> => {
  const { body: book, headers } = await callApi<DeskBook>(deskPaths.book(id), signal && { signal });
  return { book, stored: { texts: textsOf(book), etag: headers.get('etag') ?? '' } };
};

const EditForm = ({ book, stored, onClose }: OpenedBook & { onClose: () => void }) => {
  const tell = useTell();
  const saving = useMutation({
    mutationFn: ({ draft, goOnFrom }: BookForm) => save(book._id, draft, goOnFrom),
    retry: retryTransient,
    onSuccess: async (etag, { draft }) => {
      removeDraft(book._id);
      await tell(savedAs(book._id, draft, etag));
      onClose();
    },
  });
  return (
    <PanelForm
      book={book}
      stored={stored}
      saving={saving}
      messageOf={messageOf}
      onSubmit={(form) => (form.isChanged ? saving.mutate(form) : onClose())}
      onClose={onClose}
    />
  );
};

/**
 * Stores what was typed. The number of copies is compared too: customers change it, and the version does not cover it. @returns the new
 * version. @throws {ApiProblem} with status 412 or COPIES_CHANGED when the stored book differs from the opened one.
 */
const editBook = async (id: string, draft: Draft): Promise<string> => {
  const { texts, etag } = draft.opened;
  const changes = changesBetween(typedIn(draft), texts);
  const copiesWas = texts.copies === '' ? null : Number(texts.copies);
  const json: BookChanges = changes.copies === undefined ? changes : { ...changes, copiesWas };
  const headers = { 'if-match': etag };
  const response = await callApi<Book>(paths.book(id), { method: 'PATCH', json, headers });
  return response.headers.get('etag') ?? '';
};

const isConflict = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 412 || error.code === 'COPIES_CHANGED');

/**
 * Stores what was typed, unless another editor has stored another version. The call can be repeated. @param onOther gets the other version.
 * @returns the version that is stored now. @throws {ApiProblem} with the stored value at each typed field.
 */
const save = async (id: string, draft: Draft, onOther?: BookForm['goOnFrom']): Promise<string> => {
  try {
    return await editBook(id, draft);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { stored } = await fetchBook(id);
    const others = differences(typedIn({ ...draft, opened: stored }), stored.texts);
    // The stored book is this edit: the first call got no response.
    if (others.length === 0) return stored.etag;
    onOther?.(stored);
    const errors = others.map(({ name, errorPath }) => ({
      field: errorPath,
      message: `This book was changed meanwhile: here ${stored.texts[name] || 'nothing'} is stored. Save again to keep what you typed.`,
    }));
    throw new ApiProblem(412, { errors });
  }
};

/** @returns the message about an edit, with its undo, which changes no version that was stored since. */
const savedAs = (id: string, draft: Draft, etag: string) => {
  const [before, now] = [draft.opened.texts, typedIn(draft)];
  const title = now.title.trim();
  const prices = [before.price, now.price].map((price) =>
    money.format(centsToAmount(amountToCents(price) ?? 0)),
  );
  return {
    text: prices[0] === prices[1] ? `Saved ${title}.` : `Saved ${title}: ${prices.join(' → ')}.`,
    undo: async () => {
      try {
        await save(id, { opened: { texts: now, etag }, changes: before });
        return `${before.title} is as it was before.`;
      } catch (error) {
        if (!isConflict(error)) throw error;
        return `${title} was changed since, and stays as it is.`;
      }
    },
  };
};

const messageOf = (error: Error): string => {
  const message = isTransient(error)
    ? 'We have not heard whether the book was changed. Please try again.'
    : 'The book was not changed. Please try again.';
  return withReason(message, error);
};
