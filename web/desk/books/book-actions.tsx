import { useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { withFilters } from '../../api/calls.ts';
import { firstDraft, newBookId, readDraft } from '../../books/drafts.ts';
import { Button } from '../../components/button.tsx';
import { notify } from '../../components/notify.tsx';
import { useOpenList } from '../list-context.ts';
import { frontTableId } from './front-table.tsx';

/** What is done with no book of the list. */
export const BookActions = () => {
  const { open } = useOpenList();
  useDraftNotice();
  return (
    <>
      <Button onClick={() => open(frontTableId)}>Front table</Button>
      <Button onClick={() => open(newBookId)}>Add a book</Button>
    </>
  );
};

/** Says that a book is not saved yet, as the list opens, and when the panel of the book closes. */
const useDraftNotice = () => {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const openId = parameters.get('book') ?? '';
  const lastId = useRef<string>(undefined);
  useEffect(() => {
    const id = lastId.current ?? firstDraft();
    if (openId) lastId.current = openId;
    const draft = openId || id === undefined ? undefined : readDraft(id);
    if (!draft || id === undefined) return;
    notify({
      text: `${id === newBookId ? `The new book ${draft.typed.title}` : draft.base.title} is not saved yet.`,
      undoName: 'Continue',
      // The notice may be on another view by now.
      undo: async () => navigate(withFilters(deskViewAddress('books'), { book: id })),
    });
  }, [openId, navigate]);
};
