import type { SignedIn } from '../../contract/session.ts';
import { addressField, exampleAddress } from './field.tsx';
import { InlineForm } from './inline-form.tsx';

type AddressFormProps = {
  /** The order's name for screen readers. */
  title: string;
  address?: string | undefined;
  /** True if a heading asks for the address. */
  isOpen?: boolean;
  /** The person in the example. */
  customer?: SignedIn;
  save: (deliveryAddress: string) => Promise<unknown>;
};

export const AddressForm = ({ title, address, isOpen, customer, save }: AddressFormProps) => (
  <InlineForm
    opener={address ? 'Change address' : 'Add an address'}
    about={title}
    field={{ ...addressField, isLabelHidden: isOpen, placeholder: customer && exampleAddress(customer) }}
    text={address}
    confirm="Save address"
    isPrimary={isOpen}
    isOpen={isOpen}
    send={save}
    failure="The address was not changed."
  />
);
