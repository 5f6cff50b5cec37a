/** Acts of the owner. After each, the desk fetches all its data again, and the notice tells what was done, with an undo. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import { retryTransient } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { notify } from '../components/notify.tsx';
import { focusHeading } from '../components/screen-heading.tsx';
import { withReason } from '../components/with-reason.ts';

/** The message about an act, if any, and how to undo it. */
export type Done = {
  text?: ReactNode;
  /** @returns the message about the act, if any. */
  undo?: () => Promise<unknown>;
};

/** An act on the rows that allow it: at once, or in a panel that asks for more. */
export type ActOnRows<Row> = { name: string; where?: (row: Row) => boolean; isMain?: boolean } & (
  | { run: (rows: readonly Row[]) => Promise<Done>; problem?: string; Panel?: never }
  | { Panel: ComponentType<{ rows: readonly Row[]; close: (isDone: boolean) => void }> }
);

type Doing = {
  run: () => Promise<Done> | Promise<void>;
  /** The message if the act fails; the store's reason follows it. */
  problem?: string | undefined;
  onDone?: (() => void) | undefined;
};

/** @returns a function that fetches all data of the desk again, even for another view that the owner has opened meanwhile, and shows the message. */
export const useTell = () => {
  const queryClient = useQueryClient();
  const refetch = async () => {
    // A response that is still on its way may have the old rows.
    await queryClient.cancelQueries({ queryKey: ['desk'] });
    await queryClient.invalidateQueries({ queryKey: ['desk'] });
  };
  return async ({ text, undo }: Done): Promise<void> => {
    const keepFocus = rememberFocus();
    await refetch();
    const takeBack = async () => {
      const said = await undo?.();
      await refetch();
      return typeof said === 'string' ? said : undefined;
    };
    const notice = { text, undo: undo && takeBack };
    if (text) notify(notice);
    keepFocus(() => (undo ? notify({ ...notice, beside: null }) : focusHeading()));
  };
};

/** @param isRepeatable true if the act may be sent again automatically when no response came. */
export const useAct = (isRepeatable = true) => {
  const queryClient = useQueryClient();
  const tell = useTell();
  const acting = useMutation({
    mutationFn: async ({ run }: Doing): Promise<Done> => (await run()) ?? {},
    retry: isRepeatable && retryTransient,
    onMutate: () => notify(undefined),
    onSuccess: async (done, { onDone }) => {
      await tell(done);
      onDone?.();
    },
    onError: (error, { problem = 'Nothing was changed.' }) => {
      notify({ text: withReason(problem, error) });
      void queryClient.invalidateQueries({ queryKey: ['desk'] });
    },
  });
  return { act: acting.mutate, isBusy: acting.isPending, hasFailed: acting.isError };
};

/** @returns a function that returns the focus to the row or the panel that had it, or to a row beside it; without one it calls back. */
const rememberFocus = () => {
  const row = document.activeElement?.closest('[data-key], li, dialog');
  const rows = [row, row?.nextElementSibling, row?.previousElementSibling];
  return (otherwise: () => void) =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const next = rows.find((one) => one?.isConnected)?.querySelector<HTMLElement>('button, a[href]');
      if (next) next.focus({ preventScroll: true });
      else otherwise();
    });
};

type ActButtonProps = Doing & {
  name: string;
  /** The object of the act, for screen readers. */
  what?: string;
  variant?: 'secondary' | 'subtle';
  isRepeatable?: boolean;
  /** Asked before an act that cannot be undone. */
  question?: string;
};

export const ActButton = (props: ActButtonProps) => {
  const { name, what, variant = 'subtle', isRepeatable, question, ...doing } = props;
  const { act, isBusy } = useAct(isRepeatable);
  return (
    <Button
      variant={variant}
      aria-label={what && `${name}: ${what}`}
      isBusy={isBusy}
      onClick={() => (!question || window.confirm(question)) && act(doing)}
    >
      {name}
    </Button>
  );
};

type ActTickProps = Doing & { name: string; what?: string; isSet: boolean };

/** The checkbox of an act. It is ticked at once, before the store has answered. */
export const ActTick = ({ name, what, isSet, ...doing }: ActTickProps) => {
  const { act, isBusy } = useAct();
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isSet !== isBusy}
        onChange={() => !isBusy && act(doing)}
        aria-label={what && `${name}: ${what}`}
      />
      {name}
    </label>
  );
};

type ActButtonsProps<Row> = Pick<Doing, 'onDone'> & {
  acts: readonly ActOnRows<Row>[];
  rows: readonly Row[];
};

/** A button for each act that at least one of the rows allows. */
export const ActButtons = <Row,>({ acts, rows, onDone }: ActButtonsProps<Row>) => {
  const { act, isBusy } = useAct();
  const [open, setOpen] = useState<ActOnRows<Row>>();
  const rowsOf = ({ where = () => true }: ActOnRows<Row>) => rows.filter(where);
  const start = (one: ActOnRows<Row>) =>
    one.Panel ? setOpen(one) : act({ run: () => one.run(rowsOf(one)), problem: one.problem, onDone });
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
