import { Link } from 'wouter';
import type { ActivityEntry } from '../../../contract/desk/activity.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { list } from '../../api/calls.ts';
import { actionNames, changesOf, sentenceOf, subjectOf, whoOf } from '../activity-texts.ts';
import { detail, text, time, title } from '../columns.tsx';
import { listView } from '../list-view.tsx';

export const Activity = listView<ActivityEntry>({
  name: 'Activity',
  one: 'entry',
  query: (filters) => list<ActivityEntry>('desk', deskPaths.activity, filters),
  // Entries have no id, so the key has the time and the subject: an admin cannot do the same to one thing twice in a millisecond.
  keyOf: ({ at, action, bookId, subject, email, token }) =>
    [at, action, bookId, subject, email, token].join(' '),
  search: { by: 'who', label: 'Who', placeholder: 'E-mail or token', maxLength: 320 },
  choices: [{ by: 'action', label: 'What', names: () => ({ '': 'Everything', ...actionNames }) }],
  days: true,
  columns: () => [
    title('What', (entry) => ({
      title: sentenceOf(entry),
      below: [subjectLink(entry), ...changesOf(entry)],
    })),
    text('Who', whoOf, { width: '24%' }),
    time('When', ({ at }) => at, { width: '11.5rem' }),
    detail('IP address', ({ address }) => (address === 'command' ? '' : address), { width: '10rem' }),
  ],
});

const subjectLink = (entry: ActivityEntry) => {
  const subject = subjectOf(entry);
  return subject && <Link href={subject.address}>{subject.words}</Link>;
};
