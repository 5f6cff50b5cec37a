import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { withFilters } from '../../api/calls.ts';
import { AddressForm } from '../../components/address-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { useTell } from '../acts.tsx';
import { OneLine } from '../columns.tsx';
import { setAddress } from './api.ts';
import styles from './orders.module.css';
import { TakeBack } from './take-back.tsx';

/** In the row of an order: who bought it, where it goes, and what the owner can do about it. */
export const Buyer = ({ order }: { order: DeskOrder }) => {
  const { name, email } = order.buyer;
  return (
    <>
      <div>{email === '' ? <span className="soft">An erased customer</span> : name}</div>
      {email && (
        <Link
          className="linkish soft"
          href={withFilters(deskViewAddress('customers'), { q: email })}
          aria-label={`The customer ${email}`}
        >
          <OneLine>{email}</OneLine>
        </Link>
      )}
      <WhereTo order={order}>
        <TakeBack order={order} />
      </WhereTo>
    </>
  );
};

type WhereToProps = { order: DeskOrder; children?: ReactNode };

/** The address that an order is sent to, also one from before `DELIVERY=off`. The owner may change it for the buyer. */
export const WhereTo = ({ order, children }: WhereToProps) => {
  const { _id, title, state, buyer, deliveryAddress, addressCorrectedAt } = order;
  const tell = useTell();
  return (
    <div className={`cluster soft ${styles.acts}`}>
      {deliveryAddress !== null && (
        <p className="lines" dir="auto">
          <strong>To: </strong>
          {deliveryAddress}
        </p>
      )}
      {addressCorrectedAt !== null && <span className="tag">Corrected</span>}
      {(storeConfig.hasDelivery || deliveryAddress !== null) && state === 'new' && buyer.email !== '' && (
        <AddressForm
          title={title}
          address={deliveryAddress ?? undefined}
          save={async (address) => {
            await setAddress(_id, address);
            await tell({});
          }}
        />
      )}
      {children}
    </div>
  );
};
