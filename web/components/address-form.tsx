import { addressField } from './field.tsx';
import { InlineForm } from './inline-form.tsx';

type AddressFormProps = {
  /** The order's name for screen readers. */
  title: string;
  address?: string | undefined;
  /** True if a heading asks for the address. */
  isOpen?: boolean;
  save: (deliveryAddress: string) => Promise<unknown>;
};

export const AddressForm = ({ title, address, isOpen, save }: AddressFormProps) => (
  <InlineForm
    opener={address ? 'Change address' : 'Add an address'}
    about={title}
    field={addressField}
    text={address}
    confirm="Save address"
    isPrimary={isOpen}
    isOpen={isOpen}
    send={save}
    failure="The address was not changed."
  />
);
