import type { ComponentProps } from 'react';
import { maxAddressLength } from '../../contract/delivery-address.ts';
import { LinesField } from './lines-field.tsx';

type AddressFieldProps = Omit<ComponentProps<typeof LinesField>, 'label' | 'maxLength' | 'autoComplete'> & {
  isPending?: boolean;
};

/** The field for where to send an order. Browsers offer the address that they know. */
export const AddressField = ({ isPending, ...rest }: AddressFieldProps) => (
  <LinesField
    label="Send to"
    maxLength={maxAddressLength}
    autoComplete="shipping street-address"
    placeholder={isPending ? 'Looking for your address…' : undefined}
    {...rest}
  />
);
