import type { ReactNode } from 'react';
import { maxReasonLength } from '../../contract/withdrawal.ts';
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
export const WithdrawalForm = ({ title, withdraw, children, ...steps }: WithdrawalFormProps) => (
  <InlineForm
    {...steps}
    about={title}
    field={{ label: 'Reason (optional)', maxLength: maxReasonLength }}
    cancel="Keep the order"
    isPrimary
    send={withdraw}
    failure="The order was not withdrawn."
  >
    <p>{children}</p>
  </InlineForm>
);
