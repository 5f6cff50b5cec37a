import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isSessionOver } from '../../api/client.ts';
import { uploadImage } from '../../api/queries.ts';
import { clearSession } from '../../session/session.ts';
import { keepInDraft, readDraft } from './draft.ts';

/** The spec's section 4: idle, uploading, uploaded. */
export type ImageUpload = { state: 'idle' } | { state: 'uploading' } | { state: 'uploaded'; address: string };

/**
 * Uploads the picked file; picking another ends the upload before it. A failure shows nowhere but in the console (spec,
 * section 8) and leaves the upload idle, so that a file can be picked again.
 */
export const useImageUpload = () => {
  const queryClient = useQueryClient();
  const [upload, setUpload] = useState(uploadInDraft);
  const latest = useRef<AbortController>(undefined);

  useEffect(() => () => latest.current?.abort(), []);

  const pick = async (file: File | undefined) => {
    latest.current?.abort();
    keepInDraft({ image: '' });
    if (!file) return setUpload({ state: 'idle' });

    const controller = new AbortController();
    latest.current = controller;
    setUpload({ state: 'uploading' });
    try {
      const address = await uploadImage(file, controller.signal);
      if (controller.signal.aborted) return;
      keepInDraft({ image: address });
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
