import { useQueryClient } from '@tanstack/react-query';
import { deskBooksKey } from '../../api/desk-queries.ts';
import { emptyTexts } from '../../books/book-texts.ts';
import { deskDrafts, newBookId } from '../../books/drafts.ts';
import { additionMessage, useAddBook } from '../../books/use-add-book.ts';
import { useTyping } from '../../books/use-typing.ts';
import { Panel } from '../panel.tsx';
import { AlreadySold } from './already-sold.tsx';
import { PanelForm } from './panel-form.tsx';

/** The panel in which a book is added. @param onClose gets what to say about it; nothing when none was added. */
export const AddPanel = ({ onClose }: { onClose: (message?: string) => void }) => {
  const queryClient = useQueryClient();
  const typing = useTyping(deskDrafts, newBookId, emptyTexts);
  const { add, adding } = useAddBook(deskDrafts, ({ title }) => {
    onClose(`Added ${title.trim()}: it is for sale.`);
    void queryClient.invalidateQueries({ queryKey: deskBooksKey });
  });
  return (
    <Panel heading="Add a book" mayClose={() => deskDrafts.mayDiscard(newBookId)} onClose={() => onClose()}>
      <PanelForm
        bookId={newBookId}
        typing={typing}
        saving={adding}
        submitName="Add the book"
        messageOf={additionMessage}
        onSubmit={() => add(typing.typed)}
        onCancel={() => deskDrafts.mayDiscard(newBookId) && onClose()}
        notice={<AlreadySold title={typing.typed.title} author={typing.typed.author} />}
      />
    </Panel>
  );
};
