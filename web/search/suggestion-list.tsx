import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { counted } from '../../contract/counted.ts';
import { paths, screens } from '../../contract/paths.ts';
import type { Suggestions } from '../../contract/suggestions.ts';
import type { BookSearch } from '../api/catalogue.ts';
import { callApi } from '../api/client.ts';
import { Cover } from '../components/cover.tsx';
import { pressedKey } from '../components/pressed-key.ts';
import { Price } from '../components/price.tsx';
import { type SearchChange, withQuery } from './book-search.ts';
import styles from './suggestion-list.module.css';

type SuggestionListProps = {
  search: BookSearch;
  /** The text in the field. */
  typed: string;
  /** The visitor has typed it before this code was there. */
  wasTyping: boolean;
  field: RefObject<HTMLInputElement | null>;
  onSearch: (search: BookSearch, change: SearchChange) => void;
};

const listId = 'suggestions';
const optionId = (index: number) => `suggestion-${index}`;
/** Fewer letters are in too many names. */
const minLetters = 2;
const typingPauseMs = 120;

/** Suggestions while a visitor types; without words, the subjects of the shop. */
const suggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['suggestions', q],
    queryFn: async ({ signal }) =>
      (
        await callApi<Suggestions>(q ? `${paths.suggest}?${new URLSearchParams({ q })}` : paths.suggest, {
          signal,
        })
      ).body,
    staleTime: 5 * 60_000,
    retry: false,
  });

/**
 * Authors and books below the field, by the combobox pattern of WAI-ARIA with a list: the focus stays in the field, arrow keys go
 * through the list, Enter takes an entry, Escape closes the list. The field gets its attributes here: until this code is loaded it is
 * a field for a search, and no more.
 */
export const SuggestionList = ({ search, typed, wasTyping, field, onSearch }: SuggestionListProps) => {
  const [, navigate] = useLocation();
  const [hasFocus, setHasFocus] = useState(() => document.activeElement === field.current);
  const [isTyping, setIsTyping] = useState(wasTyping);
  const q = useDelayed(typed.trim());
  const isAsking = hasFocus && q.length >= minLetters && isTyping;
  const { data } = useQuery({ ...suggestionsQuery(q), enabled: isAsking, placeholderData: keepPreviousData });
  const [marked, setMarked] = useState({ of: data, index: -1 });
  // Another list has no entry marked.
  const active = marked.of === data ? marked.index : -1;
  const setActive = (index: number) => setMarked({ of: data, index });
  const { authors = [], books = [] } = (isAsking && data) || {};
  const close = () => {
    setIsTyping(false);
    setActive(-1);
  };
  const options = [
    ...authors.map(
      ({ author }) =>
        () =>
          onSearch(withQuery(search, author), 'entered'),
    ),
    ...books.map(
      ({ _id }) =>
        () =>
          navigate(screens.book(_id)),
    ),
  ];
  const choose = (index: number) => {
    close();
    options[index]?.();
  };
  const isOpen = options.length > 0;
  useCombobox(field.current, { isOpen, active });
  useKeys(field.current, {
    onFocus: setHasFocus,
    onInput: () => setIsTyping(true),
    onKey(event) {
      const key = pressedKey(event) ?? '';
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (!isOpen) return;
      if (step) setActive(((active + step + 1 + options.length + 1) % (options.length + 1)) - 1);
      else if (key === 'Enter' && active >= 0) choose(active);
      else if (key === 'Escape') close();
      else {
        if (key === 'Enter' || key === 'Tab') close();
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    },
  });
  if (!isOpen) return null;
  const optionProps = (index: number) => ({
    id: optionId(index),
    role: 'option',
    tabIndex: -1,
    'aria-selected': index === active,
    onClick: () => choose(index),
    // A list that appears under the pointer has no entry marked.
    onPointerMove: () => setActive(index),
  });
  return (
    // The focus stays in the field.
    <div
      id={listId}
      role="listbox"
      tabIndex={-1}
      aria-label="Suggestions"
      className={styles.list}
      onPointerDown={(event) => event.preventDefault()}
    >
      {authors.map(({ author, count }, index) => (
        <div key={author} className={styles.author} {...optionProps(index)}>
          <span dir="auto">{author}</span> <span>{counted(count, 'book')}</span>
        </div>
      ))}
      {books.map((book, index) => (
        <div key={book._id} className={styles.book} {...optionProps(authors.length + index)}>
          <span className={styles.cover} aria-hidden="true">
            <Cover book={book} size="small" isLabelled />
          </span>
          <span className={styles.title}>
            <span dir="auto">{book.title}</span> <span dir="auto">{book.author}</span>
          </span>
          <Price value={book.price.value} />
        </div>
      ))}
    </div>
  );
};

/** @returns the text when it has not changed for a moment. */
const useDelayed = (text: string): string => {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
};

/** Sets the attributes of the combobox pattern. */
const useCombobox = (
  input: HTMLInputElement | null,
  { isOpen, active }: { isOpen: boolean; active: number },
) => {
  useEffect(() => {
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': String(isOpen),
      'aria-controls': isOpen ? listId : undefined,
      'aria-activedescendant': active >= 0 ? optionId(active) : undefined,
    };
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined) input?.removeAttribute(name);
      else input?.setAttribute(name, value);
    }
    if (active >= 0) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [input, isOpen, active]);
};

type Listeners = {
  onKey: (event: KeyboardEvent) => void;
  onInput: () => void;
  onFocus: (hasFocus: boolean) => void;
};

/** Listens to the field before the form does. */
const useKeys = (input: HTMLInputElement | null, listeners: Listeners) => {
  const current = useRef(listeners);
  useEffect(() => {
    current.current = listeners;
  });
  useEffect(() => {
    if (!input) return;
    const listening = new AbortController();
    const { signal } = listening;
    input.addEventListener('keydown', (event) => current.current.onKey(event), { signal });
    input.addEventListener('input', () => current.current.onInput(), { signal });
    input.addEventListener('focus', () => current.current.onFocus(true), { signal });
    input.addEventListener('blur', () => current.current.onFocus(false), { signal });
    return () => listening.abort();
  }, [input]);
};
