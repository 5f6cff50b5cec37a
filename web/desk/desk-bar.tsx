import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { type DeskView, deskViewAddress, deskViews } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Bar, Brand, Visitor } from '../components/bar.tsx';
import { Button } from '../components/button.tsx';
import { pressedKey } from '../components/pressed-key.ts';
import styles from './desk-bar.module.css';

export const viewNames: Record<DeskView, string> = {
  today: 'Today',
  orders: 'Orders',
  books: 'Books',
  import: 'Import',
  sales: 'Sales',
  customers: 'Customers',
  activity: 'Activity',
  mail: 'Mail',
  webhooks: 'Webhooks',
};

/** The navigation bar of the desk. On a phone all but the store's name is behind a button, so that a view begins at the top. */
export const DeskBar = ({ customer, view }: { customer: SignedIn; view: DeskView }) => {
  const [isOpen, setIsOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  return (
    <Bar
      data-no-print
      onKeyDown={(event) => {
        if (pressedKey(event) !== 'Escape' || !isOpen) return;
        setIsOpen(false);
        menuButton.current?.focus();
      }}
    >
      <p className={styles.name}>
        <Brand /> <span>Desk</span>
      </p>
      <div className={styles.menuButton}>
        <Button ref={menuButton} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Menu
        </Button>
      </div>
      <div className={styles.menu} data-is-open={isOpen}>
        <nav className={styles.views} aria-label="Desk">
          {deskViews.map((name) => (
            <Link
              key={name}
              href={deskViewAddress(name)}
              aria-current={name === view ? 'page' : undefined}
              onClick={() => setIsOpen(false)}
            >
              {viewNames[name]}
            </Link>
          ))}
        </nav>
        <nav className={styles.store} aria-label="Store">
          <Link href={screens.home}>Shop</Link>
          <Link href={screens.admin}>Admin</Link>
        </nav>
        <Visitor name={customer.userName} title={customer.email} />
      </div>
    </Bar>
  );
};
