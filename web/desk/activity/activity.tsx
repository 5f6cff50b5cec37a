import { Link } from 'wouter';
import type { ActivityEntry } from '../../../contract/desk/activity.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { activityQuery, withFilters } from '../../api/desk-queries.ts';
import type { Column } from '../../components/responsive-table.tsx';
import { actionNames, sentenceOf } from '../activity-sentences.ts';
import { DeskList, SecondLine, useDeskList } from '../desk-list.tsx';
import { ChoiceFilter, DayFilters, FilterBar, TextFilter } from '../filters.tsx';
import { Time } from '../time.tsx';
import { areSet, useFilters } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';
import { bookPlaceOf, changesOf, subjectPlaceOf } from './activity-texts.ts';

const actionChoices = { '': 'Everything', ...actionNames };
const filterNames = ['action', 'who', 'from', 'to'] as const;
const noFilters = { action: '', who: '', from: '', to: '' };

/** The audit trail: who did what, and when. */
export const Activity = () => {
  const { filters, change } = useFilters(filterNames);
  const found = useDeskList(activityQuery(filters));
  return (
    <>
      <ViewHead name="Activity" about="What admins and scripts did, newest first." />
      <FilterBar
        label="Filter the activity"
        main={
          <TextFilter
            label="Who"
            value={filters.who}
            onChange={(who) => change({ who })}
            placeholder="A part of an e-mail, or a token’s name"
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
        label="Activity"
        columns={columns}
        keyOf={keyOf}
        whenEmpty={
          areSet(filters)
            ? {
                text: 'Nothing was done that matches.',
                button: 'Show everything',
                onClick: () => change(noFilters),
              }
            : { text: 'No activity yet.' }
        }
      />
    </>
  );
};

/** Entries have no id. The same admin may do the same in one millisecond, but not to the same thing. */
const keyOf = ({ at, action, bookId, subject, email, token }: ActivityEntry): string =>
  [at, action, bookId, subject, email, token].join(' ');

const columns: Column<ActivityEntry>[] = [
  { heading: 'What', kind: 'title', cell: (entry) => <What entry={entry} /> },
  { heading: 'Who', kind: 'text', width: '24%', cell: (entry) => <Who entry={entry} /> },
  { heading: 'When', kind: 'label', width: '11.5rem', cell: ({ at }) => <Time iso={at} /> },
  {
    heading: 'From address',
    kind: 'text',
    width: '10rem',
    cell: ({ address }) => addressOf(address),
    isLabelledWhenCompact: true,
  },
];

const What = ({ entry }: { entry: ActivityEntry }) => {
  const book = bookPlaceOf(entry);
  const subject = subjectPlaceOf(entry);
  return (
    <>
      {sentenceOf(entry)}
      {book && (
        <>
          :{' '}
          <Link href={withFilters(deskViewAddress(book.view), book.filters)}>
            <cite dir="auto">{entry.bookTitle}</cite>
          </Link>
        </>
      )}
      {changesOf(entry).map((change) => (
        <SecondLine key={change}>{change}</SecondLine>
      ))}
      {subject && (
        <SecondLine>
          <Link href={withFilters(deskViewAddress(subject.view), subject.filters)}>{subject.words}</Link>
        </SecondLine>
      )}
    </>
  );
};

const Who = ({ entry: { email, token, address } }: { entry: ActivityEntry }) => {
  const nobody = address === commandAddress ? 'A command' : '–';
  return <>{email ?? (token === null ? nobody : `Token ${token}`)}</>;
};

/** The trail has this in place of an address for `npm run shop`. */
const commandAddress = 'command';

const addressOf = (address: string | null): string =>
  address === null || address === commandAddress ? '' : address;
