/** A longer text is a sentence or a list of names, which only finds the book. */
const maxSubject = { words: 4, characters: 60 };

/**
 * @param keywords of a book, with commas or semicolons between them, as in `Sea, Adventure (The Whale)`; what stands in
 * parentheses only finds the book.
 * @returns its subjects, each once, as they are written.
 */
export const subjectsOf = (keywords: string | null | undefined): string[] => [
  ...new Set(
    (keywords ?? '')
      .replace(/\([^()]*\)/g, ',')
      .split(/[,;]/)
      .map((subject) => subject.replace(/\s+/g, ' ').trim())
      .filter(
        (subject) =>
          subject !== '' &&
          subject.length <= maxSubject.characters &&
          subject.split(' ').length <= maxSubject.words,
      ),
  ),
];
