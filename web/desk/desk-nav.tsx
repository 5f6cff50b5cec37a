import { Fragment, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { capitalized } from '../../contract/book-fields.ts';
import { countText, minCustomerSearch } from '../../contract/desk/limits.ts';
import { type DeskView, deskViewAddress, deskViews } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Brand, Visitor } from '../components/bar.tsx';
import { Combobox } from '../components/combobox/combobox.tsx';
import { useShortcuts } from '../components/pressed-key.ts';
import styles from '../components/side-column.module.css';
import { storeConfig } from '../store-config.ts';
import { Panel } from './panel.tsx';
import { showLink } from './view-head.tsx';

/** The views that the shop has a use for. */
const shownViews = deskViews.filter((view) => view !== 'webhooks' || storeConfig.hasWebhooks);

/** The views that begin a group, with its heading. */
const headings: { [View in DeskView]?: string } = { ways: 'Shop', mail: 'Log' };

type DeskNavProps = {
  customer: SignedIn;
  view: DeskView;
  ordersToSend: number | undefined;
};

/** The column at the left. It comes after the view in the page, so that the Tab key reaches the view first. */
export const DeskNav = ({ customer, view, ordersToSend = 0 }: DeskNavProps) => (
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
              {capitalized(name)}{' '}
              {name === 'orders' && ordersToSend > 0 && <em>{countText(ordersToSend)}</em>}
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

/** The keys of the desk: `/` focuses the search of the view, Ctrl K a field that leads to views, and finds books, orders and customers. */
export const GoTo = () => {
  const [, navigate] = useLocation();
  const [text, setText] = useState<string>();
  useShortcuts({
    'ctrl k': () => setText(''),
    '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
  });
  if (text === undefined) return null;
  const close = () => setText(undefined);
  return (
    <Panel heading="Go to" shape="middle" onClose={close}>
      <Combobox
        className="box"
        aria-label="Go to"
        placeholder="A view, or words to search for"
        listLabel="Places"
        isAlwaysOpen
        autoFocus
        maxLength={200}
        value={text}
        onText={setText}
        choices={placesFor(text.trim()).map(([content, address]) => ({
          key: address,
          content,
          choose: () => {
            close();
            navigate(address);
          },
        }))}
      />
    </Panel>
  );
};

/** @returns the names and addresses of the views that match the words, and of searches for the words. */
const placesFor = (words: string): (readonly [name: string, address: string])[] => {
  const views = shownViews
    .filter((view) => view.includes(words.toLowerCase()))
    .map((view) => [capitalized(view), deskViewAddress(view)] as const);
  const find = (what: string, view: DeskView) =>
    [`Find ${what} “${words}”`, deskViewAddress(view, { q: words })] as const;
  return [
    ...views,
    ...(words ? [find('the book', 'books'), find('orders of', 'orders')] : []),
    ...(words.length >= minCustomerSearch ? [find('the customer', 'customers')] : []),
  ];
};
