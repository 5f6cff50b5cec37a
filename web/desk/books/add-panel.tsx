import { additionMessage, useAddBook } from '../../books/add-book.ts';
import { mayDiscard, newBookId, useDraft } from '../../books/drafts.ts';
import { useTell } from '../acts.tsx';
import { Panel } from '../panel.tsx';
import { PanelForm } from './panel-form.tsx';

export const AddPanel = ({ onClose }: { onClose: () => void }) => {
  const tell = useTell();
  const draft = useDraft(newBookId);
  const { add, adding } = useAddBook(newBookId, ({ title }) => {
    onClose();
    void tell({ text: `Added ${title.trim()}: it is for sale.` });
  });
  return (
    <Panel heading="Add a book" mayClose={() => mayDiscard(newBookId)} onClose={onClose}>
      <PanelForm
        draft={draft}
        saving={adding}
        messageOf={additionMessage}
        onSubmit={() => add(draft.typed)}
        onClose={onClose}
      />
    </Panel>
  );
};
