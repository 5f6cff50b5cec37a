import type { Page } from '@playwright/test';
import { drawCover, drawingOf } from '../contract/drawn-cover.ts';
import { textColumnsOf } from '../server/search/text-columns.ts';
import { expect, test } from './fixtures.ts';
import { coverPng } from './test-books.ts';

/** An image host that never answers, unless a test answers for it. */
const host = 'https://covers.example/';

const works: [title: string, author: string][] = [
  ['Soccernomics: Why England Loses', 'Simon Kuper'],
  ['Tractatus Logico-Philosophicus', 'Ludwig Wittgenstein'],
  [
    'Cinderella Ate My Daughter: Dispatches from the Frontlines of the New Girlie-Girl Culture',
    'Peggy Orenstein',
  ],
  ['Means of Ascent (The Years of Lyndon Johnson, #2)', 'Robert A. Caro'],
  ['Harry Potter and the Chamber of Secrets (Harry Potter, #2)', 'J.K. Rowling, Mary GrandPré, Rufus Beck'],
  ['The Curious Incident of the Dog in the Night-Time', 'Mark Haddon'],
  ['Преступление и наказание', 'Фёдор Достоевский'],
  ['Những Ngày Thơ Ấu: Ỡ Ộ Ự', 'Nguyễn Phượng Ặng'],
  ['The Snow Child', 'Eowyn Ivey, Peggy Jyggs'],
  ['It', 'Stephen King'],
  ['Uncommon Misunderstandings', 'Bartholomew Featherstonehaugh-Cholmondeley'],
  ['Watchmen', 'Alan Moore, Dave Gibbons'],
  ['Ὀδύσσεια', 'Ὅμηρος'],
];

/** A book for each design in each palette. */
const books = Array.from({ length: 64 }, (_, look) => {
  const hasLook = ({ design, palette }: { design: number; palette: number }) => design * 8 + palette === look;
  let number = 0;
  while (!hasLook(drawCover(drawingOf(`book-${number}`)))) number += 1;
  const [title, author] = works[look % works.length] ?? ['', ''];
  return { id: `book-${number}`, title, author, image: `${host}${look}.png` };
});

test.use({
  storeOptions: {
    stock: async (db) => {
      const rows = books.map((book) => ({
        ...book,
        ...textColumnsOf(book),
        price_cents: 1299,
        added_at: 0,
      }));
      await db.insertInto('books').values(rows.toReversed()).execute();
    },
  },
});

const covers = (page: Page) => page.locator('[data-cover]');

/** Opens home while the host hangs. @returns a function that lets the pictures arrive. */
async function openHome(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const body = await coverPng();
  await page.route(`${host}**`, async (route) => {
    await released;
    // This call fails if the page is gone.
    await route.fulfill({ body, contentType: 'image/png' }).catch(() => {});
  });
  // The load event waits for the pictures that the page has when it arrives.
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await covers(page).first().waitFor();
  await page.evaluate('document.fonts.ready');
  return release;
}

test('a cover is drawn when its picture is late, which takes its place when it arrives', async ({ page }) => {
  const release = await openHome(page);
  const cover = covers(page).first();
  const drawn = cover.locator(':scope > :not(img)');
  await expect(cover).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(cover.locator('b')).toHaveAttribute('data-text', 'Soccernomics');
  await expect(drawn.first()).toBeVisible();
  await expect(cover.locator('img')).toBeHidden();
  release();
  // The picture has the shape of a book, and so the hinge of one.
  await expect(cover).toHaveAttribute('data-cover', 'bound');
  await expect(cover.locator('img')).toBeVisible();
  await expect(drawn).toHaveCount(0);
});

/** Writes the words into the page, where a test can measure them. */
const writeWords = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('[data-text]::before { display: none !important }');
  for (const words of document.querySelectorAll('[data-text]')) words.textContent = words.dataset.text;
  document.adoptedStyleSheets = [sheet];
})()`;

/** Faults in the text of the page's covers. */
const findFaults = `[...document.querySelectorAll('[data-cover]')].flatMap((cover) => {
  const [drawing, words] = cover.children;
  const title = words.querySelector('b');
  const name = words.textContent;
  const channels = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = (colour) => channels(colour).reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0.05);
  // The topmost area below the title, or the ground.
  const middle = title.getBoundingClientRect();
  const scale = 200 / drawing.getBoundingClientRect().width;
  const point = new DOMPoint(
    (middle.x + middle.width / 2 - drawing.getBoundingClientRect().x) * scale,
    (middle.y + middle.height / 2 - drawing.getBoundingClientRect().y) * scale,
  );
  const below = [...drawing.children].findLast((path) =>
    path.getAttribute('fill') === 'none' ? path.isPointInStroke(point) : path.isPointInFill(point));
  const ground = getComputedStyle(below ?? drawing)[below ? 'fill' : 'color'];
  const [dark, light] = [ground, getComputedStyle(title).color].map(luminance).sort((a, b) => a - b);
  const room = words.getBoundingClientRect();
  const shown = [...words.children].filter((part) => part.getBoundingClientRect().height > 0);
  const isOutside = (part) => {
    const { top, bottom, left, right } = part.getBoundingClientRect();
    return top < room.top - 1 || bottom > room.bottom + 1 || left < room.left - 1 || right > room.right + 1;
  };
  return [
    light / dark < 4.5 && 'pale type: ' + name,
    shown.some(isOutside) && 'no room: ' + name,
    shown.some((part) => parseFloat(getComputedStyle(part).fontSize) < 9) && 'small letters: ' + name,
  ].filter(Boolean);
})`;

test.describe('with each design in each palette on the screen', () => {
  test.use({ viewport: { width: 1280, height: 9000 } });

  test('the words of each cover stand in their room, and contrast with what is below them', async ({
    page,
  }) => {
    await openHome(page);
    // The covers on the front table have another size.
    await expect(covers(page).locator('b')).toHaveCount(books.length + 5);
    await page.evaluate(writeWords);

    // The fonts of other scripts load last.
    await expect.poll(() => page.evaluate(findFaults)).toEqual([]);
  });
});
