import { Fragment } from 'react';
import { Link } from 'wouter';
import { capitalized } from '../../contract/book-fields.ts';
import { countText } from '../../contract/desk/limits.ts';
import { type DeskView, deskViewAddress } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Brand, Visitor } from '../components/bar.tsx';
import { storeConfig } from '../store-config.ts';
import styles from './desk-nav.module.css';
import { showLink } from './tabs.tsx';

/** The views under each heading. Books leads to the import. */
const groups: Readonly<Record<string, readonly DeskView[]>> = {
  '': ['today', 'orders', 'books', 'customers', 'sales'],
  Shop: ['ways', 'pages'],
  Log: ['mail', 'activity', ...(storeConfig.hasWebhooks ? (['webhooks'] as const) : [])],
};

type DeskNavProps = {
  customer: SignedIn;
  view: DeskView;
  /** The number of orders to send, if it is known. */
  toSend: number | undefined;
};

/** The column at the left. It comes after the view in the page, so that the Tab key reaches the view first. */
export const DeskNav = ({ customer, view, toSend = 0 }: DeskNavProps) => (
  <header className={`cluster ${styles.column}`} data-no-print>
    <Brand />
    <nav className="figures" aria-label="Desk">
      {Object.entries(groups).map(([heading, names]) => (
        <Fragment key={heading}>
          {heading && <p className="soft">{heading}</p>}
          {names.map((name) => {
            const isCurrent = name === (view === 'import' ? 'books' : view);
            return (
              <Link
                key={name}
                ref={isCurrent ? showLink : undefined}
                href={deskViewAddress(name)}
                aria-current={isCurrent ? 'page' : undefined}
              >
                {capitalized(name)} {name === 'orders' && toSend > 0 && <em>{countText(toSend)}</em>}
              </Link>
            );
          })}
        </Fragment>
      ))}
      <p />
      <Link href={screens.home}>Visit the shop</Link>
      <Link href={screens.admin}>Admin</Link>
    </nav>
    <Visitor name={customer.userName} title={customer.email} />
  </header>
);
