import { useEffect, useState } from 'react';

/** The text of a field whose value changes only when the typing pauses. @returns `text`, for the field, and `type`, which changes it. */
export const useTyped = (value: string, change: (value: string) => void, pauseMs: number) => {
  const [draft, setDraft] = useState({ text: value, over: value });
  // If something else has changed the value, such as Back, the field shows the new value.
  if (draft.over !== value) setDraft({ text: value, over: value });
  const { text } = draft;
  useEffect(() => {
    const typed = text.trim();
    if (typed === value) return;
    const timer = setTimeout(() => {
      setDraft({ text, over: typed });
      change(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return { text, type: (typed: string) => setDraft({ text: typed, over: value }) };
};
