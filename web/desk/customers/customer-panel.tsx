import type { DeskCustomer, ErasedCustomer } from '../../../contract/desk/customers.ts';
import { Button } from '../../components/button.tsx';
import { Price } from '../../components/price.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerOrders } from './customer-orders.tsx';
import styles from './customer-panel.module.css';
import { EraseCustomer } from './erase-customer.tsx';

type CustomerPanelProps = {
  customer: DeskCustomer;
  isErasing: boolean;
  onClose: () => void;
  onErased: (result: ErasedCustomer) => void;
};

/** Everything about one customer, and what the shop can do. */
export const CustomerPanel = ({ customer, isErasing, onClose, onErased }: CustomerPanelProps) => (
  <Panel heading={customer.name || customer.email} onClose={onClose}>
    <dl className={styles.facts}>
      <dt>E-mail</dt>
      <dd dir="auto">{customer.email}</dd>
      <dt>Customer since</dt>
      <dd>
        <Time iso={customer.createdAt} />
      </dd>
      <dt>Last seen</dt>
      <dd>{customer.lastSeenAt === null ? 'not signed in' : <Time iso={customer.lastSeenAt} />}</dd>
      <dt>Orders</dt>
      <dd>
        {customer.orders.toLocaleString('en')}, for <Price value={customer.revenue} />
      </dd>
    </dl>
    <CustomerActions customer={customer} />
    <EraseCustomer customer={customer} isOpen={isErasing} onErased={onErased} />
    <CustomerOrders id={customer._id} />
    <div>
      <Button onClick={onClose}>Close</Button>
    </div>
  </Panel>
);
