import { useEffect, useRef, useState } from 'react';
import { maxQueryLength } from '../../contract/book-search.ts';
import { screens } from '../../contract/paths.ts';
import { Combobox } from '../components/combobox/combobox.tsx';
import { pressedKey, useShortcuts } from '../components/pressed-key.ts';
import { useCurrentPath } from '../session/session.ts';
import { useBookSearch, withQuery } from './book-search.ts';
import styles from './search-field.module.css';
import { useSuggestions } from './suggestions.tsx';

const typingPauseMs = 150;

/**
 * The search field: results on Enter. Words stay in it, unsearched, until the address changes. @param isOfShop true for
 * the search of the whole shop, which has suggestions while a visitor types; otherwise it searches in the list on the screen.
 */
export const SearchField = ({ isOfShop = false }: { isOfShop?: boolean }) => {
  const { search, changeSearch } = useBookSearch(isOfShop ? screens.home : undefined);
  const { q } = search;
  const enter = (words: string) => changeSearch(withQuery(search, words));
  const field = useRef<HTMLInputElement>(null);
  const address = useCurrentPath();
  const [draft, setDraft] = useState({ text: q, address });
  if (draft.address !== address) setDraft({ text: q, address });
  const { text } = draft;
  const type = (typed: string) => setDraft({ text: typed, address });
  const [paused, setPaused] = useState('');
  const suggestions = useSuggestions(isOfShop && paused !== q ? paused : '', enter);
  useShortcuts({ '/': () => field.current?.focus() });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painted field may have been used before this code was there, and is looked at once.
  useEffect(() => type(field.current?.value ?? ''), []);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <search>
      <form
        className={styles.field}
        action={screens.home}
        onSubmit={(event) => {
          event.preventDefault();
          enter(text.trim());
        }}
      >
        <Combobox
          ref={field}
          aria-label="Search"
          id="search"
          // Enter also searches before this code has loaded.
          name="q"
          type="search"
          value={text}
          onText={type}
          choices={suggestions}
          listLabel="Suggestions"
          listClass={`raised ${styles.suggestions}`}
          onKeyDown={(event) => {
            if (pressedKey(event) !== 'Escape' || !text) return;
            event.preventDefault();
            type('');
          }}
          maxLength={maxQueryLength}
          placeholder="Title or author"
          enterKeyHint="search"
        />
      </form>
    </search>
  );
};
