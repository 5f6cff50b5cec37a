import { Link } from 'wouter';
import type { ActivityEntry } from '../../../contract/desk/activity.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { list } from '../../api/calls.ts';
import { actionNames, bookAddressOf, changesOf, sentenceOf, subjectOf } from '../activity-texts.ts';
import { detail, text, time, title } from '../columns.tsx';
import { listView } from '../list-view.tsx';

/** The trail has this in place of an address for `npm run shop`. */
const commandAddress = 'command';

/** The audit trail: who did what, and when. */
export const Activity = listView<ActivityEntry>({
  name: 'Activity',
  about: 'What admins and scripts did, newest first.',
  one: 'entry',
  many: 'activity',
  query: (filters) => list<ActivityEntry>('desk', deskPaths.activity, filters),
  // Entries have no id. The same admin may do the same in one millisecond, but not to the same thing.
  keyOf: ({ at, action, bookId, subject, email, token }) =>
    [at, action, bookId, subject, email, token].join(' '),
  search: {
    by: 'who',
    label: 'Who',
    placeholder: 'A part of an e-mail, or a token’s name',
    maxLength: 320,
  },
  choices: [{ by: 'action', label: 'What', names: { '': 'Everything', ...actionNames } }],
  days: true,
  columns: [
    title('What', (entry) => ({
      title: <What entry={entry} />,
      below: [...changesOf(entry), subjectLink(entry)],
    })),
    text('Who', whoOf, { width: '24%' }),
    time('When', ({ at }) => at, { width: '11.5rem' }),
    detail('From address', ({ address }) => (address === commandAddress ? '' : address), { width: '10rem' }),
  ],
  empty: { none: 'No activity yet.', matching: 'Nothing was done that matches.', all: 'Show everything' },
});

const What = ({ entry }: { entry: ActivityEntry }) => {
  const book = bookAddressOf(entry);
  return (
    <>
      {sentenceOf(entry)}
      {book && (
        <>
          :{' '}
          <Link href={book}>
            <cite dir="auto">{entry.bookTitle}</cite>
          </Link>
        </>
      )}
    </>
  );
};

const subjectLink = (entry: ActivityEntry) => {
  const subject = subjectOf(entry);
  return subject && <Link href={subject.address}>{subject.words}</Link>;
};

function whoOf({ email, token, address }: ActivityEntry): string {
  if (email !== null) return email;
  if (token !== null) return `Token ${token}`;
  return address === commandAddress ? 'A command' : '–';
}
