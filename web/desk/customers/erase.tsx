import { type SyntheticEvent, useId, useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import type { DeskCustomer, ErasedCustomer } from '../../../contract/desk/customers.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { foldEmail } from '../../../contract/email.ts';
import { withoutUnseen } from '../../../contract/pasted-text.ts';
import { send } from '../../api/calls.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { useAct } from '../acts.tsx';

/** Erases a customer. This is the only act of the desk without an undo, so the owner must type the e-mail first. */
export const Erase = ({ customer, onErased }: { customer: DeskCustomer; onErased: () => void }) => {
  const { _id, email, unsentOrders } = customer;
  const aboutId = useId();
  const { act, isBusy } = useAct();
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const run = async () => {
    const { orders } = await send<ErasedCustomer>('POST', deskPaths.customerErase(_id));
    const kept = orders === 1 ? '1 order keeps its' : `${counted(orders, 'order')} keep their`;
    return { text: `Erased. ${kept} book, price and day.` };
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const isRight = foldEmail(withoutUnseen(typed)) === foldEmail(email);
    setIsWrong(!isRight);
    if (isRight) act({ run, problem: 'The customer was not erased. Please try again.', onDone: onErased });
    else event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <details
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.querySelector('input')?.focus()}
    >
      <summary className="linkish problem">Erase this customer</summary>
      <form className="stack" onSubmit={submit} noValidate>
        <p id={aboutId}>
          Name, e-mail, photo and sessions go, and cannot be brought back. The orders keep their book, price
          and day, without the person.
        </p>
        {unsentOrders > 0 && (
          <p>
            <Link href={deskViewAddress('orders', { state: 'new', q: email })}>
              {counted(unsentOrders, 'order')} {unsentOrders === 1 ? 'is' : 'are'} not sent yet.
            </Link>{' '}
            Once the person is erased, nobody knows who bought {unsentOrders === 1 ? 'it' : 'them'}.
          </p>
        )}
        <Field
          label="Type the e-mail to confirm"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          {...(!isWrong && { 'aria-describedby': aboutId })}
          error={isWrong ? `Type ${email} as it is.` : undefined}
        />
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Erase for good
          </Button>
        </div>
      </form>
    </details>
  );
};
