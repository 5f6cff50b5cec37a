import { Fragment } from 'react';
import { Link } from 'wouter';
import { capitalized } from '../../contract/book-fields.ts';
import { countText } from '../../contract/desk/limits.ts';
import { type DeskView, deskViewAddress } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Brand, Visitor } from '../components/bar.tsx';
import styles from '../components/side-column.module.css';
import { shownViews } from './go-to.tsx';
import { showLink } from './tabs.tsx';

/** The views that begin a group, with its heading. */
const headings: { [View in DeskView]?: string } = { ways: 'Shop', mail: 'Log' };

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
      {shownViews.map((name) => {
        // Books leads to the import.
        if (name === 'import') return null;
        const isCurrent = name === (view === 'import' ? 'books' : view);
        return (
          <Fragment key={name}>
            {headings[name] && <p className="soft">{headings[name]}</p>}
            <Link
              ref={isCurrent ? showLink : undefined}
              href={deskViewAddress(name)}
              aria-current={isCurrent ? 'page' : undefined}
            >
              {capitalized(name)} {name === 'orders' && toSend > 0 && <em>{countText(toSend)}</em>}
            </Link>
          </Fragment>
        );
      })}
      <p />
      <Link href={screens.home}>Visit the shop</Link>
      <Link href={screens.admin}>Admin</Link>
    </nav>
    <Visitor name={customer.userName} title={customer.email} />
  </header>
);
