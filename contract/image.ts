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
  { title: 'ImageUpload' },
);

/** The file name in the address of a hosted image. */
export const ImageParams = Type.Object({
  file: Term({ maxLength: 64, description: 'Such as {id}.webp, or {id}-480.webp.' }),
});

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
  { title: 'UploadedImage' },
);
export type UploadedImage = Static<typeof UploadedImage>;

/** imgbb's response to an upload that it rejects. */
export const UploadRefused = Type.Object(
  {
    status_code: Type.Integer(),
    error: Type.Object({ message: Type.String(), code: Type.Integer() }),
    status_txt: Type.String(),
  },
  { title: 'UploadRefused' },
);
export type UploadRefused = Static<typeof UploadRefused>;
