import { useMutation, useQueryClient } from '@tanstack/react-query';
import { maxOnFrontTable } from '../../../contract/front-limits.ts';
import { ApiProblem, retryTransient } from '../../api/client.ts';
import {
  deskBooksKey,
  frontTableQuery,
  replaceInLists,
  setOnFrontTable,
  type VersionedBook,
} from '../../api/desk-queries.ts';
import { withReason } from '../../components/with-reason.ts';
import styles from './front-table.module.css';

/** Puts a book on the front table, or takes it off, at once: it is no field that is saved with the others. */
export const FrontTableTick = ({ book }: Pick<VersionedBook, 'book'>) => {
  const queryClient = useQueryClient();
  const choice = useMutation({
    mutationFn: (isOn: boolean) => setOnFrontTable(book._id, isOn),
    retry: retryTransient,
    onSuccess: async (changed) => {
      await replaceInLists(queryClient, deskBooksKey, changed);
      void queryClient.invalidateQueries({ queryKey: frontTableQuery.queryKey });
    },
  });
  const isOn = choice.isPending ? choice.variables : ((choice.data ?? book).onFrontTable ?? false);
  return (
    <div className={styles.tick}>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => !choice.isPending && choice.mutate(target.checked)}
        />
        On the front table
      </label>
      <p role="status">
        {choice.isSuccess && (isOn ? 'The home screen shows it now.' : 'It is off the table.')}
      </p>
      {choice.isError && <p role="alert">{messageOf(choice.error)}</p>}
    </div>
  );
};

const messageOf = (error: Error): string =>
  error instanceof ApiProblem && error.code === 'FRONT_TABLE_FULL'
    ? `The table has ${maxOnFrontTable} books already. Take one off first.`
    : withReason('The front table was not changed.', error);
