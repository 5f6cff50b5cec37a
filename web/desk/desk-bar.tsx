import { Link } from 'wouter';
import { capitalized } from '../../contract/book-fields.ts';
import { type DeskView, deskViewAddress, deskViews } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Bar, Brand, Visitor } from '../components/bar.tsx';
import styles from './desk-bar.module.css';
import { showLink } from './tabs.tsx';

export const DeskBar = ({ customer, view }: { customer: SignedIn; view: DeskView }) => (
  <Bar data-no-print>
    <p className={styles.name}>
      <Brand /> <span>Desk</span>
    </p>
    <nav className={styles.links} aria-label="Desk">
      {deskViews.map((name) => (
        <Link
          key={name}
          ref={name === view ? showLink : undefined}
          href={deskViewAddress(name)}
          aria-current={name === view ? 'page' : undefined}
        >
          {capitalized(name)}
        </Link>
      ))}
      <Link href={screens.home}>Shop</Link>
      <Link href={screens.admin}>Admin</Link>
    </nav>
    <Visitor name={customer.userName} title={customer.email} />
  </Bar>
);
