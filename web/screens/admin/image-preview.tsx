import { Cover } from '../../components/cover.tsx';
import { Mat } from '../../components/mat.tsx';
import styles from './image-preview.module.css';
import type { ImageUpload } from './image-upload.ts';

/** How the picked image will stand on the shelf. */
export const ImagePreview = ({ upload }: { upload: ImageUpload }) => (
  <div role="status">
    <Mat>
      {upload.state === 'uploaded' ? (
        <Cover
          key={upload.address}
          book={{ title: 'the new book', author: '', image: upload.address }}
          isEager
        />
      ) : (
        <div className={styles.gap}>{upload.state === 'uploading' && 'Uploading...'}</div>
      )}
    </Mat>
  </div>
);
