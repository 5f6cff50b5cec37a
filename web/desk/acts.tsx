/** Acts of the owner: each is done, shown wherever the desk shows what it changed, and told in the notice, with its undo. */
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { Filters, ListPage } from '../api/calls.ts';
import { ApiProblem, retryTransient } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { notify } from '../components/notify.tsx';
import { focusHeading } from '../components/screen-heading.tsx';
import { withReason } from '../components/with-reason.ts';
import { useOpenList } from './list-context.ts';

/** A changed row, or what has changed of it. */
type Change = { _id: string } & Readonly<Record<string, unknown>>;

/** What an act has done. Without `changed` and `gone` all that is shown is fetched again. */
export type Done = {
  changed?: readonly Change[];
  /** The ids of rows that are on no list any more. */
  gone?: readonly string[];
  text?: ReactNode;
  /** @returns what to say about it, if anything. */
  undo?: () => Promise<unknown>;
  /** As in {@link notify}. */
  beside?: HTMLElement | null;
};

/** An act on the rows that can have it: at once, or in a panel that asks for more. */
export type ActOnRows<Row> = { name: string; where?: (row: Row) => boolean; isMain?: boolean } & (
  | { run: (rows: readonly Row[]) => Promise<Done>; problem: string; Panel?: never }
  | { Panel: ComponentType<{ rows: readonly Row[]; close: (isDone: boolean) => void }> }
);

type Doing = {
  run: () => Promise<Done>;
  /** The message for an act that failed. */
  problem: string;
  onDone?: (() => void) | undefined;
  /** Gets the focus that went with its row, when no row is beside it. */
  otherFocus?: (() => HTMLElement | null) | undefined;
};

/** @returns shows what was done, and tells it. */
export const useDone = () => {
  const queryClient = useQueryClient();
  const { path } = useOpenList();
  const refetch = () => queryClient.invalidateQueries({ queryKey: ['desk'] });
  return async ({ text, undo, beside, ...done }: Done): Promise<void> => {
    if (done.changed || done.gone) await showChanges(queryClient, path, done);
    else await refetch();
    if (!text) return;
    const takeBack = async () => {
      const said = await undo?.();
      await refetch();
      return typeof said === 'string' ? said : undefined;
    };
    notify({ text, undo: undo && takeBack, ...(beside !== undefined && { beside }) });
  };
};

/** @param isRepeatable that it may be sent again by itself, when no response came. */
export const useAct = (isRepeatable = true) => {
  const queryClient = useQueryClient();
  const tell = useDone();
  const acting = useMutation({
    mutationFn: ({ run }: Doing) => run(),
    retry: isRepeatable && retryTransient,
    onMutate: () => notify(undefined),
    onSuccess: async (done, { onDone, otherFocus }) => {
      const keepFocus = rememberFocus();
      await tell(done);
      onDone?.();
      keepFocus(otherFocus);
    },
    onError: (error, { problem }) => {
      // The store says what has changed meanwhile.
      const isOutdated = error instanceof ApiProblem && error.status === 409;
      const wrongField = error instanceof ApiProblem ? (error.errors[0]?.message ?? '') : '';
      notify({ text: isOutdated ? error.message : `${withReason(problem, error)} ${wrongField}`.trim() });
      void queryClient.invalidateQueries({ queryKey: ['desk'] });
    },
  });
  return { act: acting.mutate, isBusy: acting.isPending, hasFailed: acting.isError };
};

/**
 * Shows changed rows in every list of this path, apart from those whose filter no longer has them, and fetches all else that is
 * shown, such as counts and an open panel; also on the view to which the owner went before the response came.
 */
export const showChanges = async (
  queryClient: QueryClient,
  path: string,
  { changed = [], gone = [] }: Pick<Done, 'changed' | 'gone'>,
): Promise<void> => {
  const changeOf = new Map(changed.map((change) => [change._id, change]));
  const isFilteredOut = (change: Change, filters: Filters) =>
    Object.entries(filters).some(([name, value]) => value && name in change && change[name] !== value);
  const shownOf = (row: Partial<Change>, filters: Filters) => {
    const change = changeOf.get(row._id ?? '');
    if (!change) return gone.includes(row._id ?? '') ? [] : [row];
    return isFilteredOut(change, filters) ? [] : [{ ...row, ...change }];
  };
  const shownIn = (page: ListPage<Partial<Change>>) => ({
    ...page,
    body: page.body.flatMap((row) => shownOf(row, page.filters)),
  });
  // A response that is still on its way may have the rows as they were.
  await queryClient.cancelQueries({ queryKey: ['desk'] });
  queryClient.setQueriesData(
    { queryKey: ['desk', path] },
    (data: InfiniteData<ListPage<Partial<Change>>> | undefined) =>
      data && { ...data, pages: data.pages.map(shownIn) },
  );
  void queryClient.invalidateQueries({
    queryKey: ['desk'],
    // A list of this path without data is one whose first response was on its way.
    predicate: ({ queryKey, state }) => queryKey[1] !== path || state.data === undefined,
  });
};

/** @returns gives the focus to the row that had it, or to one beside it, when its element is gone. */
const rememberFocus = () => {
  const row = document.activeElement?.closest('[data-key]');
  const rows = [row, row?.nextElementSibling, row?.previousElementSibling];
  return (other: Doing['otherFocus']) =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const next = rows.find((one) => one?.isConnected)?.querySelector<HTMLElement>('button, a[href]');
      const element = next ?? other?.();
      if (element) element.focus({ preventScroll: true });
      else focusHeading();
    });
};

type ActButtonProps = Doing & {
  name: string;
  /** Names for screen readers what it acts on. */
  what?: string;
  isRepeatable?: boolean;
  /** Asks first. */
  mayAct?: () => boolean;
};

/** The button of one act. */
export const ActButton = ({ name, what, isRepeatable, mayAct, ...doing }: ActButtonProps) => {
  const { act, isBusy } = useAct(isRepeatable);
  return (
    <Button
      variant="subtle"
      aria-label={what && `${name}: ${what}`}
      isBusy={isBusy}
      onClick={() => mayAct?.() !== false && act(doing)}
    >
      {name}
    </Button>
  );
};

type ActButtonsProps<Row> = Pick<Doing, 'onDone' | 'otherFocus'> & {
  acts: readonly ActOnRows<Row>[];
  rows: readonly Row[];
};

/** A button for each act that some of the rows can have. */
export const ActButtons = <Row,>({ acts, rows, onDone, otherFocus }: ActButtonsProps<Row>) => {
  const { act, isBusy } = useAct();
  const [open, setOpen] = useState<ActOnRows<Row>>();
  const rowsOf = ({ where = () => true }: ActOnRows<Row>) => rows.filter(where);
  const start = (one: ActOnRows<Row>) =>
    one.Panel
      ? setOpen(one)
      : act({ run: () => one.run(rowsOf(one)), problem: one.problem, onDone, otherFocus });
  const close = (isDone: boolean) => {
    setOpen(undefined);
    if (isDone) onDone?.();
  };
  return (
    <>
      {acts
        .filter((one) => rowsOf(one).length > 0)
        .map((one) => (
          <Button
            key={one.name}
            variant={one.isMain ? 'primary' : 'secondary'}
            isBusy={isBusy}
            onClick={() => start(one)}
          >
            {one.name}
          </Button>
        ))}
      {open?.Panel && <open.Panel rows={rowsOf(open)} close={close} />}
    </>
  );
};
