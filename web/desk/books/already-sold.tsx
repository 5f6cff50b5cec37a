import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { DeskBook } from '../../../contract/desk/books.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { callApi } from '../../api/client.ts';
import { withFilters } from '../../api/desk-queries.ts';
import styles from './panel-form.module.css';

const typingPauseMs = 400;
/** As long as a search may be. */
const maxLength = 200;

/** @returns the text without case, accents and repeated spaces. */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

/** The book that the shop sells under a title and an author already. It is a hint: a second edition may have the same ones. */
export const AlreadySold = ({ title, author }: { title: string; author: string }) => {
  const typed = `${title.trim()} ${author.trim()}`;
  const [sought, setSought] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSought(typed), typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useQuery({
    queryKey: ['desk', 'already sold', sought],
    queryFn: async ({ signal }) => {
      const path = withFilters(deskPaths.books, { q: sought.slice(0, maxLength), limit: '20' });
      return (await callApi<DeskBook[]>(path, { signal })).body;
    },
    enabled: title.trim() !== '' && author.trim() !== '' && sought !== '',
    gcTime: 0,
    retry: false,
  });
  const same = found.data?.find(
    (book) => fold(book.title) === fold(title) && fold(book.author) === fold(author),
  );
  return (
    <p className={styles.draft} role="status">
      {same && (
        <>
          You sell this already:{' '}
          <Link href={withFilters(deskViewAddress('books'), { book: same._id })}>
            edit <cite dir="auto">{same.title}</cite>
          </Link>
          ?
        </>
      )}
    </p>
  );
};
