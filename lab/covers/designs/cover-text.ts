/** The words on a cover. */

/** `subtitle` is '' if the title has none; `credit` is the author, or the first of many authors. */
export type CoverText = { title: string; subtitle: string; credit: string };

const maxTitleLength = 150;
const maxSubtitleLength = 90;
const maxCreditLength = 46;

function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut).replace(/[\s,;:.–-]+$/u, '')}…`;
}

// Such as "Moby-Dick; or, The Whale", "Sapiens: A Brief History", "R.U.R. (Rossum’s Universal Robots)" and
// "…, or Gustavus Vassa".
const subtitled = [/^(.{2,}?)\s*[:;]\s+(.+)$/u, /^(.{2,}?)\s+\((.+)\)$/u, /^(.{2,}?),\s+(or,?\s.+)$/u];

function splitTitle(title: string): [string, string] {
  for (const pattern of subtitled) {
    const [, main, rest] = pattern.exec(title) ?? [];
    if (main && rest) return [main, rest];
  }
  return [title, ''];
}

function creditFor(author: string): string {
  if (author.length <= maxCreditLength) return author;
  const names = author.split(/\s*[,;]\s*|\s+(?:&|and)\s+/u).filter((name) => name !== '');
  const suffix = ' and others';
  let credit = '';
  for (const name of names) {
    const longer = credit === '' ? name : `${credit}, ${name}`;
    if (longer.length + suffix.length > maxCreditLength) break;
    credit = longer;
  }
  return credit === '' ? clip(author, maxCreditLength) : credit + suffix;
}

function tidy(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** @returns the title, the subtitle and the credit of a book, each short enough for a cover. */
export function coverText(book: { title: string; author: string }): CoverText {
  const [title, subtitle] = splitTitle(tidy(book.title));
  return {
    title: clip(title, maxTitleLength),
    subtitle: clip(subtitle, maxSubtitleLength),
    credit: creditFor(tidy(book.author)),
  };
}
