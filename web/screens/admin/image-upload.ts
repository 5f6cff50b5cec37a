import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { retryBusy } from '../../api/client.ts';
import { uploadImage } from '../../api/upload-image.ts';
import { readDraft, updateDraft } from './draft.ts';

/** The states of an upload (spec, section 4). `address` is that of the uploaded image. */
export type ImageUpload = { state: 'idle' } | { state: 'uploading' } | { state: 'uploaded'; address: string };

/**
 * The upload of the book's image. It starts as uploaded when the draft has an image.
 * @returns `upload`, its state; and `pick`, which uploads the picked file, or removes the image when there is no file. A
 * new pick aborts the upload before it. An upload that the store has no room for is sent again. Any other failure is only
 * logged to the console (spec, section 8); the upload is idle after it, so that a file can be picked again.
 */
export const useImageUpload = () => {
  const { mutateAsync: send } = useMutation({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) => uploadImage(file, signal),
    retry: retryBusy,
  });
  const [upload, setUpload] = useState(uploadInDraft);
  const currentUpload = useRef<AbortController>(undefined);

  useEffect(() => () => currentUpload.current?.abort(), []);

  const pick = async (file: File | undefined) => {
    currentUpload.current?.abort();
    updateDraft({ image: '' });
    if (!file) return setUpload({ state: 'idle' });

    const controller = new AbortController();
    currentUpload.current = controller;
    setUpload({ state: 'uploading' });
    try {
      const address = await send({ file, signal: controller.signal });
      if (controller.signal.aborted) return;
      updateDraft({ image: address });
      setUpload({ state: 'uploaded', address });
    } catch (error) {
      if (controller.signal.aborted) return;
      console.warn('The image was not uploaded.', error);
      setUpload({ state: 'idle' });
    }
  };

  return { upload, pick };
};

const uploadInDraft = (): ImageUpload => {
  const address = readDraft().image;
  return address ? { state: 'uploaded', address } : { state: 'idle' };
};
