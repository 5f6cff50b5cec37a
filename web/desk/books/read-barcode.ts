import { readIsbn } from '../../../contract/isbn.ts';
import { barcodeReader, openCamera } from '../../memory/platform-later.ts';

const pauseMs = 100;

/**
 * Shows the camera's picture until an ISBN is in it. Other barcodes, such as that of the price beside it, are passed over.
 * @param signal closes the camera.
 * @returns its 13 digits.
 * @throws a DOMException: `NotAllowedError` where the person or the browser refuses, another one where there is no camera; and the
 * reason of the signal.
 */
export async function readIsbnInFrontOf(picture: HTMLVideoElement, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const stream = await openCamera();
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  signal.addEventListener('abort', close);
  try {
    signal.throwIfAborted();
    picture.srcObject = stream;
    await picture.play();
    const reader = barcodeReader();
    for (;;) {
      const barcodes = (await reader?.detect(picture)) ?? [];
      const isbn = barcodes.map(({ rawValue }) => readIsbn(rawValue)).find((read) => read !== undefined);
      if (isbn !== undefined) return isbn;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      signal.throwIfAborted();
    }
  } finally {
    close();
  }
}
