import { useEffect, useRef, useState } from 'react';
import { uploadImage } from '../../queries.ts';

/** The spec's section 4: idle, uploading, uploaded. */
export type ImageUpload = { state: 'idle' } | { state: 'uploading' } | { state: 'uploaded'; address: string };

/**
 * Uploads the picked file; picking another ends the upload before it. A failure shows nowhere but in the console (spec,
 * section 8) and leaves the upload idle, so that a file can be picked again.
 */
export const useImageUpload = () => {
  const [upload, setUpload] = useState<ImageUpload>({ state: 'idle' });
  const latest = useRef<AbortController>(undefined);

  useEffect(() => () => latest.current?.abort(), []);

  const pick = async (file: File | undefined) => {
    latest.current?.abort();
    if (!file) return setUpload({ state: 'idle' });

    const controller = new AbortController();
    latest.current = controller;
    setUpload({ state: 'uploading' });
    try {
      const address = await uploadImage(file, controller.signal);
      if (!controller.signal.aborted) setUpload({ state: 'uploaded', address });
    } catch (error) {
      if (controller.signal.aborted) return;
      console.warn('The image was not uploaded.', error);
      setUpload({ state: 'idle' });
    }
  };

  return { upload, pick };
};
