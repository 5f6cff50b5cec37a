import type { Action, ActivityEntry } from '../../../../contract/desk-activity.ts';
import { activityQuery } from '../../../api/desk-queries.ts';
import { Button } from '../../../components/button.tsx';
import type { Column } from '../../../components/responsive-table.tsx';
import { DeskList, useDeskList } from '../desk-list.tsx';
import { DeskTable, SecondLine } from '../desk-table.tsx';
import { areSet, ChoiceFilter, DayFilters, FilterBar, TextFilter, useFilters } from '../filters.tsx';
import { Time } from '../time.tsx';
import { ViewHead } from '../view-head.tsx';
import styles from './activity.module.css';

const actionNames: Record<Action, string> = {
  'admin-signed-in': 'Signed in as an admin',
  'book-added': 'Added a book',
  'book-edited': 'Changed a book',
  'book-deleted': 'Deleted a book',
  'book-restored': 'Restored a book',
  'books-imported': 'Imported books',
  'books-exported': 'Exported the books',
  'orders-marked': 'Marked orders',
  'orders-exported': 'Exported orders',
  'customer-exported': 'Exported a customer',
  'customer-signed-out': 'Signed a customer out',
  'customer-blocked': 'Blocked a customer',
  'customer-unblocked': 'Unblocked a customer',
  'customer-erased': 'Erased a customer',
  'token-created': 'Created a token',
  'token-revoked': 'Revoked a token',
};

const actionChoices = { '': 'Everything', ...actionNames };
const filterNames = ['action', 'who', 'from', 'to'] as const;

/** The audit trail: who did what, and when. */
export const Activity = () => {
  const { filters, change } = useFilters(filterNames);
  const found = useDeskList(activityQuery(filters));
  return (
    <>
      <ViewHead name="Activity" about="What admins and scripts did, newest first. Times are in UTC." />
      <FilterBar
        label="Filter the activity"
        main={
          <TextFilter
            label="Who"
            value={filters.who}
            onChange={(who) => change({ who })}
            placeholder="An e-mail, or a token’s name"
            maxLength={320}
          />
        }
        values={[filters.action, filters.from, filters.to]}
        error={found.list.error}
      >
        <ChoiceFilter
          label="What"
          value={filters.action}
          onChange={(action) => change({ action })}
          choices={actionChoices}
        />
        <DayFilters filters={filters} change={change} error={found.list.error} />
      </FilterBar>
      <DeskList
        found={found}
        problem="The activity could not be fetched."
        whenEmpty={
          areSet(filters) ? (
            <>
              <p>Nothing was done that matches.</p>
              <Button onClick={() => change({ action: '', who: '', from: '', to: '' })}>
                Show everything
              </Button>
            </>
          ) : (
            <p>No activity yet.</p>
          )
        }
      >
        {(entries) => (
          <DeskTable
            label="Activity"
            columns={columns}
            rows={entries}
            keyOf={keyOf}
            found={found}
            className={styles.table}
          />
        )}
      </DeskList>
    </>
  );
};

/** Entries have no id. The same admin may do the same in one millisecond, but not to the same thing. */
const keyOf = ({ at, action, bookId, subject, email, token }: ActivityEntry): string =>
  [at, action, bookId, subject, email, token].join(' ');

const columns: Column<ActivityEntry>[] = [
  { heading: 'What', kind: 'title', cell: (entry) => <What entry={entry} /> },
  { heading: 'Who', kind: 'text', width: '24%', cell: (entry) => <Who entry={entry} /> },
  { heading: 'When', kind: 'number', width: '11.5rem', cell: ({ at }) => <Time iso={at} /> },
  {
    heading: 'From address',
    kind: 'text',
    width: '10rem',
    cell: ({ address }) => addressOf(address),
    isLabelledWhenCompact: true,
  },
];

const What = ({ entry: { action, bookTitle, subject, details } }: { entry: ActivityEntry }) => (
  <>
    {nameOf(action)}
    {bookTitle !== null && (
      <>
        : <cite dir="auto">{bookTitle}</cite>
      </>
    )}
    {(subject !== null || details) && (
      <SecondLine>
        {[...(subject === null ? [] : [subject]), ...Object.entries(details ?? {}).map(detail)].join(' · ')}
      </SecondLine>
    )}
  </>
);

const nameOf = (action: string): string =>
  Object.hasOwn(actionNames, action) ? actionNames[action as Action] : action;

/** `isSent: true` becomes `is sent: true`. */
const detail = ([name, value]: [string, unknown]): string =>
  `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${value}`;

const Who = ({ entry: { email, token, address } }: { entry: ActivityEntry }) => {
  if (email !== null) return email;
  if (token !== null) return `Token ${token}`;
  return address === commandAddress ? 'A command' : '–';
};

/** What the trail has in place of an address for `npm run shop`. */
const commandAddress = 'command';

const addressOf = (address: string | null): string =>
  address === null || address === commandAddress ? '–' : address;
