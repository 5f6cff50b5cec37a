import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import type { DeskCustomer, ErasedCustomer } from '../../../contract/desk/customers.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { foldEmail } from '../../../contract/email.ts';
import { withoutUnseen } from '../../../contract/pasted-text.ts';
import { send } from '../../api/calls.ts';
import { ApiProblem } from '../../api/client.ts';
import { EditForm } from '../edit-form.tsx';

/** Erases a customer. This is the only act of the desk without an undo, so the owner must type the e-mail first. */
export const Erase = ({ customer, onErased }: { customer: DeskCustomer; onErased: () => void }) => {
  const { _id, email, unsentOrders } = customer;
  const erase = async (typed: string) => {
    if (foldEmail(withoutUnseen(typed)) !== foldEmail(email))
      throw new ApiProblem(400, { code: 'OTHER_EMAIL', detail: `Type ${email} as it is.` });
    const { orders } = await send<ErasedCustomer>('POST', deskPaths.customerErase(_id));
    const kept = orders === 1 ? '1 order keeps its' : `${counted(orders, 'order')} keep their`;
    return { text: `Erased. ${kept} book, price and day.` };
  };
  return (
    <details
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.querySelector('input')?.focus()}
    >
      <summary className="linkish problem">Erase this customer</summary>
      <div className="stack">
        {unsentOrders > 0 && (
          <p>
            <Link href={deskViewAddress('orders', { state: 'new', q: email })}>
              {counted(unsentOrders, 'order')} {unsentOrders === 1 ? 'is' : 'are'} not sent yet.
            </Link>{' '}
            Once the person is erased, nobody knows who bought {unsentOrders === 1 ? 'it' : 'them'}.
          </p>
        )}
        <EditForm
          fields={[
            {
              name: 'email',
              label: 'Type the e-mail to confirm',
              hint: 'Name, e-mail, photo and sessions go, and cannot be brought back. The orders keep their book, price and day, without the person.',
              required: true,
            },
          ]}
          save={({ email }) => erase(email)}
          problem="The customer was not erased."
          word="Erase for good"
          onDone={onErased}
        />
      </div>
    </details>
  );
};
