import { addressField } from './field.tsx';
import { InlineForm } from './inline-form.tsx';

type AddressFormProps = {
  /** The order's name for screen readers. */
  title: string;
  address: string | undefined;
  save: (deliveryAddress: string) => Promise<unknown>;
};

export const AddressForm = ({ title, address, save }: AddressFormProps) => (
  <InlineForm
    opener={address ? 'Change address' : 'Add an address'}
    about={title}
    field={addressField}
    text={address}
    confirm="Save address"
    send={save}
    failure="The address was not changed."
  />
);
