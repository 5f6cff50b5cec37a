import { addressField } from './field.tsx';
import { InlineForm } from './inline-form.tsx';

type AddressFormProps = {
  /** The order's name for screen readers. */
  title: string;
  address?: string | undefined;
  /** True if a heading asks for the address. */
  isOpen?: boolean;
  isPrimary?: boolean;
  save: (deliveryAddress: string) => Promise<unknown>;
};

export const AddressForm = ({ title, address, save, ...form }: AddressFormProps) => (
  <InlineForm
    {...form}
    opener={address ? 'Change address' : 'Add an address'}
    about={title}
    field={addressField}
    text={address}
    confirm="Save address"
    send={save}
    failure="The address was not changed."
  />
);
