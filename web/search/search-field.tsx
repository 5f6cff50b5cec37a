import { useEffect, useRef, useState } from 'react';
import { maxQueryLength } from '../../contract/book-search.ts';
import { screens } from '../../contract/paths.ts';
import { type Choice, Combobox } from '../components/combobox/combobox.tsx';
import { pressedKey, useShortcuts } from '../components/pressed-key.ts';
import { useCurrentPath } from '../session/session.ts';
import { useBookSearch, withQuery } from './book-search.ts';
import styles from './search-field.module.css';
import { useSuggestions } from './suggestions.tsx';

const typingPauseMs = 150;

type SearchFieldProps = {
  /** The words of the search in the address. */
  q: string;
  /** Called with the trimmed text for Enter. */
  onEnter: (q: string) => void;
  /** Called with the trimmed text when the visitor pauses typing. */
  onTyped?: (text: string) => void;
  suggestions?: readonly Choice[];
};

/** The search field. Text that nobody has searched for yet stays in it until the address changes. */
export const SearchField = ({ q, onEnter, onTyped, suggestions = [] }: SearchFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  const address = useCurrentPath();
  const [draft, setDraft] = useState({ text: q, address });
  if (draft.address !== address) setDraft({ text: q, address });
  const { text } = draft;
  const type = (typed: string) => setDraft({ text: typed, address });
  useShortcuts({ '/': () => field.current?.focus() });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the painted field may have been used before this code was there, and is looked at once.
  useEffect(() => type(field.current?.value ?? ''), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text is another pause.
  useEffect(() => {
    const timer = setTimeout(() => onTyped?.(text.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <search>
      <form
        className={styles.field}
        action={screens.home}
        onSubmit={(event) => {
          event.preventDefault();
          onEnter(text.trim());
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

/** The search of the whole shop: suggestions while a visitor types, and the results on Enter. */
export const ShopSearch = () => {
  const { search, changeSearch } = useBookSearch(screens.home);
  const [typed, setTyped] = useState('');
  const enter = (q: string) => changeSearch(withQuery(search, q));
  const suggestions = useSuggestions(typed === search.q ? '' : typed, enter);
  return <SearchField q={search.q} onEnter={enter} onTyped={setTyped} suggestions={suggestions} />;
};
