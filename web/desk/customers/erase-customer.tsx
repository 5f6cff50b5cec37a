import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useId, useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import type { DeskCustomer, ErasedCustomer } from '../../../contract/desk/customers.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { foldEmail } from '../../../contract/email.ts';
import { withoutUnseen } from '../../../contract/pasted-text.ts';
import { retryTransient } from '../../api/client.ts';
import { deskCustomersKey, eraseCustomer, takeOutOfLists, withFilters } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { withReason } from '../../components/with-reason.ts';
import styles from './erase-customer.module.css';

type EraseCustomerProps = {
  customer: DeskCustomer;
  /** The person has asked for the erasure in the list. */
  isOpen: boolean;
  onErased: (result: ErasedCustomer) => void;
};

/** The one thing on the desk that cannot be undone, so the e-mail is typed first. */
export const EraseCustomer = ({ customer, isOpen, onErased }: EraseCustomerProps) => {
  const aboutId = useId();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const erasure = useMutation({
    mutationFn: () => eraseCustomer(customer._id),
    retry: retryTransient,
    onSuccess: async (result) => {
      await takeOutOfLists(queryClient, deskCustomersKey, customer._id);
      onErased(result);
    },
  });

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (erasure.isPending) return;
    const isRight = foldEmail(withoutUnseen(typed)) === foldEmail(customer.email);
    setIsWrong(!isRight);
    if (isRight) erasure.mutate();
    else event.currentTarget.querySelector('input')?.focus();
  };

  return (
    <details
      className={styles.erase}
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.querySelector('input')?.focus()}
    >
      <summary>Erase this customer</summary>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p id={aboutId}>
          Name, e-mail, photo and sessions go, and cannot be brought back. The orders keep their book, price
          and day, without the person.
        </p>
        {customer.unsentOrders > 0 && <UnsentOrders customer={customer} />}
        <Field
          label="Type the e-mail to confirm"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          {...(!isWrong && { 'aria-describedby': aboutId })}
          error={isWrong ? `Type ${customer.email} as it is.` : undefined}
        />
        <div>
          <Button type="submit" variant="primary" isBusy={erasure.isPending}>
            Erase for good
          </Button>
        </div>
        {erasure.isError && (
          <p className={styles.problem} role="alert">
            {withReason('The customer was not erased. Please try again.', erasure.error)}
          </p>
        )}
      </form>
    </details>
  );
};

const UnsentOrders = ({ customer: { email, unsentOrders } }: { customer: DeskCustomer }) => (
  <p>
    <Link href={withFilters(deskViewAddress('orders'), { state: 'new', q: email })}>
      {counted(unsentOrders, 'order')} {unsentOrders === 1 ? 'is' : 'are'} not sent yet.
    </Link>{' '}
    Once the person is erased, nobody knows who bought {unsentOrders === 1 ? 'it' : 'them'}.
  </p>
);
