import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isSessionOver } from '../../api/client.ts';
import { uploadImage } from '../../api/queries.ts';
import { clearSession } from '../../session/session.ts';
import { readDraft, updateDraft } from './draft.ts';

/** The states of an upload (spec, section 4). `address` is that of the uploaded image. */
export type ImageUpload = { state: 'idle' } | { state: 'uploading' } | { state: 'uploaded'; address: string };

/**
 * The upload of the book's image. It starts as uploaded when the draft has an image.
 * @returns `upload`, its state; and `pick`, which uploads the picked file, or removes the image when there is no file. A
 * new pick aborts the upload before it. A failure is only logged to the console (spec, section 8); the upload is idle
 * after it, so that a file can be picked again.
 */
export const useImageUpload = () => {
  const queryClient = useQueryClient();
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
      const address = await uploadImage(file, controller.signal);
      if (controller.signal.aborted) return;
      updateDraft({ image: address });
      setUpload({ state: 'uploaded', address });
    } catch (error) {
      if (controller.signal.aborted) return;
      console.warn('The image was not uploaded.', error);
      setUpload({ state: 'idle' });
      if (isSessionOver(error)) clearSession(queryClient);
    }
  };

  return { upload, pick };
};

const uploadInDraft = (): ImageUpload => {
  const address = readDraft().image;
  return address ? { state: 'uploaded', address } : { state: 'idle' };
};
