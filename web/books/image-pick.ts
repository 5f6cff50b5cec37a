import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { retryBusy, uploadImage } from '../api/upload-image.ts';

/** For the `accept` of a field. */
export const imageTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

type ImagePickOptions = {
  /** @param address of the uploaded image. */
  onPicked: (address: string) => void;
  onFailed?: (error: Error) => void;
};

/**
 * Uploads a picture for a book. A new pick, also of no file, aborts the upload before it. An upload that the store has no room for is
 * sent again.
 */
export const useImagePick = ({ onPicked, onFailed }: ImagePickOptions) => {
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const upload = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) => uploadImage(file, signal),
    retry: retryBusy,
    onSuccess: (address, { signal }) => {
      if (!signal.aborted) onPicked(address);
    },
    onError: (error, { signal }) => {
      if (!signal.aborted) onFailed?.(error);
    },
  });
  const pick = (file: File | undefined) => {
    current.current?.abort();
    upload.reset();
    if (!file) return;
    current.current = new AbortController();
    upload.mutate({ file, signal: current.current.signal });
  };
  return { pick, isUploading: upload.isPending, isUploaded: upload.isSuccess, error: upload.error };
};
