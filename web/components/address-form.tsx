import { addressField } from './field.tsx';
import { InlineForm } from './inline-form.tsx';

type AddressFormProps = {
  /** The order's name for screen readers. */
  title: string;
  /** The current address; undefined for none. */
  address: string | undefined;
  save: (deliveryAddress: string) => Promise<unknown>;
};

/** Changes the address that an order is sent to. */
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
