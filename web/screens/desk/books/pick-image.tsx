import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { retryBusy } from '../../../api/client.ts';
import { uploadImage } from '../../../api/upload-image.ts';
import { withReason } from '../../../components/with-reason.ts';
import { Field } from '../../admin/field.tsx';
import styles from './pick-image.module.css';

const imageTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

type PickImageProps = {
  onUploading: (isUploading: boolean) => void;
  /** @param address of the uploaded image. */
  onPicked: (address: string) => void;
};

/** Uploads a picture for the book. A new one aborts the upload before it. */
export const PickImage = ({ onUploading, onPicked }: PickImageProps) => {
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const upload = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) => uploadImage(file, signal),
    retry: retryBusy,
    onSuccess: (address, { signal }) => {
      if (!signal.aborted) onPicked(address);
    },
    onSettled: (_address, _error, { signal }) => {
      if (!signal.aborted) onUploading(false);
    },
  });
  const pick = (file: File | undefined) => {
    current.current?.abort();
    if (!file) return onUploading(false);
    const controller = new AbortController();
    current.current = controller;
    onUploading(true);
    upload.mutate({ file, signal: controller.signal });
  };
  return (
    <div className={styles.pick}>
      <Field
        label="Or upload a picture"
        type="file"
        accept={imageTypes}
        // A browser fires no change event for a file that is picked again, as after a failed upload.
        onClick={({ currentTarget }) => {
          if (!upload.isPending) currentTarget.value = '';
        }}
        onChange={({ target }) => pick(target.files?.[0])}
        error={
          upload.isError && !current.current?.signal.aborted
            ? withReason('The picture was not uploaded.', upload.error)
            : undefined
        }
      />
      <p role="status">
        {upload.isPending && 'Uploading…'}
        {upload.isSuccess && 'Uploaded. Save to keep it.'}
      </p>
    </div>
  );
};
