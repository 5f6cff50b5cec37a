import sharp from 'sharp';

/**
 * @returns the colour that most of a picture has, as #rrggbb: the mean of the largest group of pixels that are nearly alike. Where
 * the picture is transparent, the page behind it is taken as white.
 */
export async function dominantColour(picture: Uint8Array): Promise<string> {
  const pixels = await sharp(picture)
    .resize(64, 96, { fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  const groups = new Map<number, { count: number; sums: [number, number, number] }>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
    const key = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);
    const { count, sums } = groups.get(key) ?? { count: 0, sums: [0, 0, 0] };
    groups.set(key, { count: count + 1, sums: [sums[0] + r, sums[1] + g, sums[2] + b] });
  }
  const [largest] = [...groups.values()].sort((one, other) => other.count - one.count);
  const mean = largest?.sums.map((sum) => Math.round(sum / largest.count)) ?? [255, 255, 255];
  return `#${Buffer.from(mean).toString('hex')}`;
}
