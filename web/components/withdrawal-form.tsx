import type { ReactNode } from 'react';
import { maxReasonLength } from '../../contract/withdrawal.ts';
import { LinesField } from './field.tsx';
import { InlineForm } from './inline-form.tsx';

type WithdrawalFormProps = {
  /** The texts of the first and of the second step. */
  opener: string;
  confirm: string;
  /** The order's name for screen readers. */
  title: string;
  withdraw: (reason: string) => Promise<unknown>;
  /** The name of what is withdrawn. */
  children: ReactNode;
};

/** Takes an order back in two steps. The second one shows what is taken back. */
export const WithdrawalForm = ({ opener, confirm, title, withdraw, children }: WithdrawalFormProps) => (
  <InlineForm
    opener={opener}
    about={title}
    confirm={confirm}
    isPrimary
    cancel="Keep the order"
    send={withdraw}
    failure="The order was not withdrawn."
    refusals={{ TOO_LATE: 'It is too late: the days for it are over.' }}
  >
    {(field) => (
      <>
        <p>{children}</p>
        <LinesField label="Reason (optional)" maxLength={maxReasonLength} {...field} />
      </>
    )}
  </InlineForm>
);
