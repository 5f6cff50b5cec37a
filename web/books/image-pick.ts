import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { retryBusy, uploadImage } from '../api/upload-image.ts';

/** The types for the `accept` attribute of the field. */
export const imageTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

type ImagePickOptions = {
  /** @param address of the uploaded image. */
  onPicked: (address: string) => void;
  onFailed?: (error: Error) => void;
};

/**
 * Uploads a picked picture for a book. Each new pick, even of no file, aborts the upload before it. An upload for which the store has no
 * room is sent again.
 */
export const useImagePick = ({ onPicked, onFailed }: ImagePickOptions) => {
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const upload = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) => uploadImage(file, signal),
    retry: retryBusy,
  });
  const pick = (file: File | undefined) => {
    current.current?.abort();
    upload.reset();
    if (!file) return;
    current.current = new AbortController();
    const { signal } = current.current;
    // TanStack Query calls back only for the last upload, and only while the form is there.
    upload.mutate({ file, signal }, { onSuccess: onPicked, onError: (error) => onFailed?.(error) });
  };
  return { pick, isUploading: upload.isPending, isUploaded: upload.isSuccess, error: upload.error };
};
