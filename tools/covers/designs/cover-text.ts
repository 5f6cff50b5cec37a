/** What a cover says: a title, a subtitle where the title has one, and a credit short enough to print. */

export type CoverText = { title: string; subtitle: string; credit: string };

const longestTitle = 150;
const longestSubtitle = 90;
const longestCredit = 46;

function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut).replace(/[\s,;:.–-]+$/u, '')}…`;
}

// "Moby-Dick; or, The Whale", "Sapiens: A Brief History", "R.U.R. (Rossum’s Universal Robots)", "…, or Gustavus Vassa"
const subtitled = [/^(.{2,}?)\s*[:;]\s+(.+)$/u, /^(.{2,}?)\s+\((.+)\)$/u, /^(.{2,}?),\s+(or,?\s.+)$/u];

function splitTitle(title: string): [string, string] {
  for (const pattern of subtitled) {
    const [, main, rest] = pattern.exec(title) ?? [];
    if (main && rest) return [main, rest];
  }
  return [title, ''];
}

function creditFor(author: string): string {
  if (author.length <= longestCredit) return author;
  const names = author.split(/\s*[,;]\s*|\s+(?:&|and)\s+/u).filter((name) => name !== '');
  const others = ' and others';
  let credit = '';
  for (const name of names) {
    const longer = credit === '' ? name : `${credit}, ${name}`;
    if (longer.length + others.length > longestCredit) break;
    credit = longer;
  }
  return credit === '' ? clip(author, longestCredit) : credit + others;
}

function tidy(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

export function coverText(book: { title: string; author: string }): CoverText {
  const [title, subtitle] = splitTitle(tidy(book.title));
  return {
    title: clip(title, longestTitle),
    subtitle: clip(subtitle, longestSubtitle),
    credit: creditFor(tidy(book.author)),
  };
}
