import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { changeBooks } from '../../api/desk-book-changes.ts';
import { deskBooksKey } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { withReason } from '../../components/with-reason.ts';
import { SelectionBar } from '../selection-bar.tsx';
import type { useSelection } from '../use-selection.ts';
import type { Done } from './book-notice.tsx';
import { ChangePanel } from './change-panel.tsx';
import { undoable } from './changes.ts';

type ChangeBarProps = {
  books: readonly DeskBook[];
  selection: ReturnType<typeof useSelection<DeskBook>>;
  isComplete: boolean;
  isOfDeleted: boolean;
  onDone: (done: Done) => void;
};

/** The changes that the selected books can have. */
export const ChangeBar = ({ books, selection, isComplete, isOfDeleted, onDone }: ChangeBarProps) => {
  const queryClient = useQueryClient();
  const [isPanelOpen, setIsPanelOpen] = useState(false);
  const { selected, choose } = selection;
  const moving = useMutation({
    mutationFn: (isDeleted: boolean) => changeBooks(selected, { isDeleted }, { dryRun: false }),
    onSuccess: async (result) => {
      choose([]);
      await queryClient.invalidateQueries({ queryKey: deskBooksKey });
      onDone(undoable(result));
    },
    onError: (error) => onDone(withReason('The books were not changed.', error)),
  });
  return (
    <>
      <SelectionBar items={books} noun="book" selection={selection} isComplete={isComplete}>
        {!isOfDeleted && (
          <Button variant="primary" onClick={() => setIsPanelOpen(true)}>
            Change
          </Button>
        )}
        <Button isBusy={moving.isPending} onClick={() => moving.mutate(!isOfDeleted)}>
          {isOfDeleted ? 'Restore' : 'Delete'}
        </Button>
      </SelectionBar>
      {isPanelOpen && (
        <ChangePanel
          books={selected}
          onClose={(done) => {
            setIsPanelOpen(false);
            if (!done) return;
            choose([]);
            onDone(done);
          }}
        />
      )}
    </>
  );
};
