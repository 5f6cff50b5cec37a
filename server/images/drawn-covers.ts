/**
 * The drawn cover of a book as a picture, for programs that show no drawing, such as search engines and readers of news. It has no
 * words: the server has no fonts, and the title stands beside it.
 */

import {
  type DrawnCover,
  drawCover,
  drawingCount,
  drawingOf,
  type Layer,
} from '../../contract/drawn-cover.ts';
import { paths } from '../../contract/paths.ts';
import type { ImageWorker } from './image-worker.ts';

/** The picture of a book that has no other one. */
export const drawnCoverPath = (id: string): string => paths.image(`drawn-${drawingOf(id)}.webp`);

/** @returns the number of the drawing in a file name of {@link drawnCoverPath}; undefined for any other name. */
export function drawingInFile(file: string): number | undefined {
  const drawing = Number(/^drawn-(0|[1-9]\d{0,3})\.webp$/.exec(file)?.[1] ?? drawingCount);
  return drawing < drawingCount ? drawing : undefined;
}

/**
 * @returns a function that finds a drawing as WebP, 480 by 720. Each is made once, in 30 ms, and stays in memory: all of them have
 * 10 MB.
 */
export function shareDrawings(worker: ImageWorker): (drawing: number) => Promise<Uint8Array> {
  const made = new Map<number, Promise<Uint8Array>>();
  return (drawing) => {
    const found = made.get(drawing) ?? make(drawing, worker);
    made.set(drawing, found);
    // After a failure it is made again.
    found.catch(() => made.delete(drawing));
    return found;
  };
}

async function make(drawing: number, worker: ImageWorker): Promise<Uint8Array> {
  const { renditions } = await worker.convert({ svg: svgOf(drawCover(drawing)) });
  const [rendition] = renditions;
  if (!rendition) throw new Error('the drawing has no rendition');
  return rendition.bytes;
}

const svgOf = (cover: DrawnCover): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="720" viewBox="0 0 200 300">${drawingIn(cover)}</svg>`;

/** @returns the elements of a drawing, on a sheet of 200 by 300. */
export const drawingIn = ({ ground, layers }: DrawnCover): string =>
  `<path d="M0 0h200v300H0z" fill="${ground}"/>${layers.map(pathOf).join('')}`;

const pathOf = ({ d, colour, width, dash = 'none', isRound }: Layer): string =>
  width
    ? `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash}" stroke-linecap="${isRound ? 'round' : 'butt'}"/>`
    : `<path d="${d}" fill="${colour}"/>`;
