import { useQueryClient } from '@tanstack/react-query';
import { additionMessage, useAddBook } from '../../books/add-book.ts';
import { emptyTexts } from '../../books/book-texts.ts';
import { mayDiscard, newBookId, useDraft } from '../../books/drafts.ts';
import { notify } from '../../components/notify.tsx';
import { Panel } from '../panel.tsx';
import { PanelForm } from './panel-form.tsx';

/** The panel in which a book is added. */
export const AddPanel = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient();
  const draft = useDraft(newBookId, emptyTexts);
  const { add, adding } = useAddBook(newBookId, ({ title }) => {
    notify({ text: `Added ${title.trim()}: it is for sale.` });
    onClose();
    void queryClient.invalidateQueries({ queryKey: ['desk'] });
  });
  return (
    <Panel heading="Add a book" mayClose={() => mayDiscard(newBookId)} onClose={onClose}>
      <PanelForm
        bookId={newBookId}
        draft={draft}
        saving={adding}
        submitName="Add the book"
        messageOf={additionMessage}
        onSubmit={() => add(draft.typed)}
        onClose={onClose}
      />
    </Panel>
  );
};
