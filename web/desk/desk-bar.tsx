import { useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type DeskView, deskViewAddress, deskViews } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Brand } from '../components/brand.tsx';
import { Button } from '../components/button.tsx';
import { pressedKey } from '../components/pressed-key.ts';
import { useSignOut } from '../session/session.ts';
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
  const signOut = useSignOut();
  const [isOpen, setIsOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the button and the links in it come here.
    <header
      className={styles.bar}
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
        <Button
          ref={menuButton}
          aria-expanded={isOpen}
          aria-controls={menuId}
          onClick={() => setIsOpen(!isOpen)}
        >
          Menu
        </Button>
      </div>
      <div id={menuId} className={styles.menu} data-is-open={isOpen}>
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
        <div className={styles.customer}>
          <span className={styles.userName} dir="auto" title={customer.email}>
            {customer.userName}
          </span>
          <Button onClick={() => signOut.mutate({ everywhere: false })} isBusy={signOut.isPending}>
            Log out
          </Button>
        </div>
        {signOut.isError && <p role="alert">You are still logged in. Please try again.</p>}
      </div>
    </header>
  );
};
