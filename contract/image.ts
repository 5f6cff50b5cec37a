import { type Static, Type } from 'typebox';
import { Term } from './field-formats.ts';

/** The multipart body of an upload, as imgbb defines it. */
export const ImageUpload = Type.Object(
  {
    key: Type.Optional(
      Type.String({ description: 'imgbb’s API key. The store ignores it and requires a session.' }),
    ),
    image: Type.String({
      contentMediaType: 'application/octet-stream',
      description: 'The file: JPEG, PNG, GIF, WebP or AVIF, at most 10 MB.',
    }),
  },
  { title: 'ImageUpload', examples: [{ key: 'colophon', image: 'cover.jpg' }] },
);

export const ImageHostKey = Type.Object(
  { key: Type.String() },
  { title: 'ImageHostKey', examples: [{ key: 'colophon' }] },
);
export type ImageHostKey = Static<typeof ImageHostKey>;

/** The file name in the address of a hosted image. */
export const ImageParams = Type.Object(
  { file: Term({ maxLength: 64, description: 'Such as {id}.webp, or {id}-480.webp.' }) },
  { examples: [{ file: '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d-480.webp' }] },
);

/** The file name in the address of a book's card. */
export const CardParams = Type.Object(
  { file: Term({ maxLength: 80, description: 'The book’s id and a hash of what the card shows.' }) },
  { examples: [{ file: '0f6f1e0c-5b0a-4c1e-9d4e-2f8a7c6b5d43-9b1deb4d.jpg' }] },
);

/** imgbb's response to an upload. `display_url` becomes the book's image. */
export const UploadedImage = Type.Object(
  {
    data: Type.Object({
      id: Type.String(),
      title: Type.String(),
      url_viewer: Type.String(),
      url: Type.String(),
      display_url: Type.String(),
      width: Type.Integer(),
      height: Type.Integer(),
      size: Type.Integer({ description: 'Bytes.' }),
      time: Type.Integer({ description: 'Seconds since 1970.' }),
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
    title: 'UploadedImage',
    examples: [
      {
        data: {
          id: '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d',
          title: 'cover',
          url_viewer: '/images/9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d.webp',
          url: '/images/9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d.webp',
          display_url: '/images/9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d.webp',
          width: 960,
          height: 1440,
          size: 84_210,
          time: 1_795_260_000,
          expiration: 0,
          image: {
            filename: '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d.webp',
            name: '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d',
            mime: 'image/webp',
            extension: 'webp',
            url: '/images/9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d.webp',
          },
        },
        success: true,
        status: 200,
      },
    ],
  },
);
export type UploadedImage = Static<typeof UploadedImage>;

/** imgbb's response to an upload that it rejects. */
export const UploadRefused = Type.Object(
  {
    status_code: Type.Integer(),
    error: Type.Object({ message: Type.String(), code: Type.Integer() }),
    status_txt: Type.String({ description: 'The store’s code of the problem.' }),
  },
  {
    title: 'UploadRefused',
    examples: [
      {
        status_code: 400,
        error: { message: 'This file is not an image that the store can show.', code: 310 },
        status_txt: 'IMAGE_UNREADABLE',
      },
    ],
  },
);
export type UploadRefused = Static<typeof UploadRefused>;
