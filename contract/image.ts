import { type Static, Type } from 'typebox';
import * as Part from './schema-parts.ts';

export const ImageHostKey = Part.Named('ImageHostKey', { key: Type.String() });
export type ImageHostKey = Static<typeof ImageHostKey>;

const exampleId = '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d';
const exampleUrl = `/images/${exampleId}.webp`;

/** imgbb's response to an upload. `display_url` becomes the book's image. */
export const UploadedImage = Part.Named(
  'UploadedImage',
  {
    data: Type.Object({
      id: Type.String(),
      title: Type.String(),
      url_viewer: Type.String(),
      url: Type.String(),
      display_url: Type.String(),
      width: Type.Integer(),
      height: Type.Integer(),
      size: Part.Count('Bytes.'),
      time: Part.Count('Seconds since 1970.'),
      expiration: Type.Integer(),
      image: Type.Object({
        filename: Type.String(),
        name: Type.String(),
        mime: Type.String(),
        extension: Type.String(),
        url: Type.String(),
      }),
    }),
    success: Type.Literal(true),
    status: Type.Literal(200),
  },
  {
    data: {
      ...{ id: exampleId, title: 'cover', url_viewer: exampleUrl, url: exampleUrl, display_url: exampleUrl },
      ...{ width: 960, height: 1440, size: 84_210, time: 1_795_260_000, expiration: 0 },
      image: {
        ...{ filename: `${exampleId}.webp`, name: exampleId, mime: 'image/webp', extension: 'webp' },
        url: exampleUrl,
      },
    },
    success: true,
    status: 200,
  },
);
export type UploadedImage = Static<typeof UploadedImage>;

/** imgbb's response to an upload that it rejects. */
export const UploadRefused = Part.Named('UploadRefused', {
  status_code: Type.Integer(),
  error: Type.Object({ message: Type.String(), code: Type.Integer() }),
  status_txt: Part.Text('The store’s code of the problem.'),
});
export type UploadRefused = Static<typeof UploadRefused>;
