import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { demoBooks } from '../../server/demo/books.ts';
import { chooseCover, drawCover } from './cover.ts';
import { chanceFrom } from './designs/chance.ts';
import { type DesignName, designs } from './designs/commissions.ts';
import { coverText } from './designs/cover-text.ts';
import { contrast, legibleOn, palettes } from './designs/palettes.ts';
import { missingLetters } from './designs/type-case.ts';

const names = Object.keys(designs) as DesignName[];

function drawWith(design: DesignName, book: { title: string; author: string }): string {
  return designs[design](coverText(book), palettes.prussian, chanceFrom(1));
}

/** @returns the share of pixels in which two drawings differ. */
async function differingShare(first: string, second: string): Promise<number> {
  const halfSize = { density: 36 };
  const [a, b] = await Promise.all(
    [first, second].map((svg) => sharp(Buffer.from(svg), halfSize).raw().toBuffer()),
  );
  if (!a || !b) throw new Error('there are no pixels');
  let differing = 0;
  for (let i = 0; i < a.length; i += 1) if (Math.abs((a[i] ?? 0) - (b[i] ?? 0)) > 24) differing += 1;
  return differing / a.length;
}

describe('the covers of the demo books', () => {
  test('are all different, and the same when they are drawn again', () => {
    const first = demoBooks.map(drawCover);

    expect(new Set(first).size).toBe(demoBooks.length);
    expect(demoBooks.map(drawCover)).toEqual(first);
  });

  test('differ from their neighbours in design and in colour', () => {
    const covers = demoBooks.map(chooseCover);

    covers.slice(1).forEach((cover, i) => {
      expect(cover.design, demoBooks[i + 1]?.title).not.toBe(covers[i]?.design);
      expect(cover.palette, demoBooks[i + 1]?.title).not.toBe(covers[i]?.palette);
    });
  });

  test('use every design', () => {
    expect(new Set(demoBooks.map((book) => chooseCover(book).design))).toEqual(new Set(names));
  });

  test('are small SVG files with a ratio of 2:3 that need no font and load nothing', () => {
    for (const book of demoBooks) {
      const svg = drawCover(book);

      expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 800 1200" width="800" height="1200">/);
      expect(svg).not.toMatch(/<text|<font|<image|<style|url\(|href="[^#]|NaN|undefined/);
      expect(svg.length, book.title).toBeLessThan(100_000);
    }
  });
});

describe('a cover for any book', () => {
  test('can be drawn for any title and author', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(words, words, (title, author) => {
        expect(drawCover({ title, author })).not.toMatch(/NaN|undefined|Infinity/);
      }),
      { numRuns: 60 },
    );
  });

  test.each(['constructor', '__proto__', '\ud83d', '   ', ''])('can be drawn for the title %j', (title) => {
    expect(drawCover({ title, author: '' })).toMatch(/^<svg .*<\/svg>$/s);
  });

  test('has no label if the fonts have none of the letters', () => {
    for (const title of ['ألف ليلة وليلة', 'हितोपदेश', 'ありがとう', 'たけくらべ', '']) {
      expect(chooseCover({ title, author: 'Anon' }).design).toMatch(/Scene$|^nightSea$/);
    }
  });

  test.each(names)('stays small and has the author in the design %s, also with long texts', (design) => {
    const long = {
      title:
        'A History of Nearly Everything That Has Ever Happened to Anyone Anywhere: Being a Complete and Unabridged Account of the Adventures, Mishaps and Misunderstandings of Mankind in Five Parts',
      author: Array.from({ length: 40 }, (_, i) => `Author Number ${i}`).join(', '),
    };

    expect(drawWith(design, long).length).toBeLessThan(200_000);
    expect(drawWith(design, long)).not.toBe(drawWith(design, { ...long, author: 'Somebody Else' }));
  });

  test.each(names)('leaves a margin around the words in the design %s', async (design) => {
    const svg = drawWith(design, { title: 'Ǻngström’s Čžůž Ệlégÿ Qgjpy', author: 'Ẵgnes Ýþórsdóttir' });
    const letters = [...svg.matchAll(/<path transform="scale\(0\.1\)"[^>]*>/g)].join('');
    const sheet = (body: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 1200" width="800" height="1200">${body}</svg>`;
    const margin = `<rect x="24" y="24" width="752" height="1152" fill="#fff"/>`;

    const words = design === 'greatInitial' ? letters.replace(/<path[^>]*>/, '') : letters;
    expect(await differingShare(sheet(words + margin), sheet(margin))).toBe(0);
    expect(await differingShare(sheet(words), sheet(''))).toBeGreaterThan(0.005);
  });
});

test('every palette is legible: ink on paper, and one of the two on the board', () => {
  for (const [name, palette] of Object.entries(palettes)) {
    expect(contrast(palette.ink, palette.paper), name).toBeGreaterThan(7);
    expect(contrast(legibleOn(palette.board, palette), palette.board), name).toBeGreaterThan(4);
  }
});

test('the fonts have every letter of every title and author of the demo', () => {
  for (const { title, author } of demoBooks) {
    for (const face of ['garamondSemibold', 'didone', 'jost', 'sofia'] as const) {
      expect(missingLetters(title + author, face), title).toEqual([]);
    }
  }
});
