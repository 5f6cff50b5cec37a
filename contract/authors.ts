/** After a comma, these words are a part of the name before it. */
const suffix = '(?:[JS]r|I{1,3}|IV|V|[A-Z]\\.[A-Z]|Ph\\.?D)\\b';
const betweenAuthors = new RegExp(`[,;&]\\s+(?!${suffix})`);

/** @param author one name or several, such as `Jacob Grimm, Wilhelm Grimm`. @returns each name once. */
export const authorsOf = (author: string): string[] => [
  ...new Set(
    author
      .split(betweenAuthors)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];
