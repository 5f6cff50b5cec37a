/** After a comma, these words are a part of the name before it. */
const suffix = '(?:[JS]r|I{1,3}|IV|V|[A-Z]\\.[A-Z]|Ph\\.?D)\\b';
const betweenAuthors = new RegExp(`(?<=[,;]\\s(?!${suffix}))`);

/** @returns the authors in one text, as pairs of a name, and the name with the separator after it. */
export const authorsIn = (author: string): { name: string; text: string }[] =>
  author.split(betweenAuthors).map((text) => ({ name: text.replace(/[,;]\s$/, ''), text }));
