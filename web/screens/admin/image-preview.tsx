import { Cover } from '../../components/cover.tsx';
import { Frame } from '../../components/frame.tsx';
import styles from './image-preview.module.css';
import type { ImageUpload } from './image-upload.ts';

/** The uploaded image as the home screen will show it, or a placeholder until it is uploaded. */
export const ImagePreview = ({ upload }: { upload: ImageUpload }) => (
  <div role="status">
    <Frame>
      {upload.state === 'uploaded' ? (
        <Cover
          key={upload.address}
          book={{ title: 'the new book', author: '', image: upload.address }}
          isEager
        />
      ) : (
        <div className={styles.placeholder}>{upload.state === 'uploading' && 'Uploading...'}</div>
      )}
    </Frame>
  </div>
);
