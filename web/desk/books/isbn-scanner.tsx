import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readIsbn } from '../../../contract/isbn.ts';
import { Button } from '../../components/button.tsx';
import { barcodeReader, openCamera } from '../../memory/platform-later.ts';
import styles from './books.module.css';

/** Fills in an ISBN with the camera, in browsers that read barcodes. In other browsers a person types it, or a hand scanner does. */
export const IsbnScanner = ({ onRead }: { onRead: (isbn: string) => void }) => {
  const [isOpen, setIsOpen] = useState(false);
  const [message, setMessage] = useState('');
  const [canScan] = useState(() => barcodeReader() !== undefined);
  const video = useRef<HTMLVideoElement>(null);
  const finish = useEffectEvent((isbn: string) => {
    onRead(isbn);
    setMessage(`The ISBN is ${isbn}.`);
  });

  useEffect(() => {
    if (!isOpen || !video.current) return;
    const closing = new AbortController();
    readIsbnInFrontOf(video.current, closing.signal)
      .then(finish)
      .catch(() => closing.signal.aborted || setMessage(cannotRead))
      .finally(() => closing.signal.aborted || setIsOpen(false));
    return () => closing.abort();
  }, [isOpen]);

  if (!canScan) return null;
  const toggle = () => {
    setMessage(isOpen ? '' : 'Hold the barcode in front of the camera.');
    setIsOpen(!isOpen);
  };
  return (
    <div className="cluster tight">
      <Button onClick={toggle}>{isOpen ? 'Stop the camera' : 'Scan with the camera'}</Button>
      <p className="soft" role="status">
        {message}
      </p>
      {isOpen && (
        <video ref={video} className={styles.camera} muted playsInline aria-label="What the camera sees" />
      )}
    </div>
  );
};

const cannotRead = 'The camera cannot be used. Allow it in the browser’s settings, or type the digits.';
const pauseMs = 100;

/**
 * Shows the camera's picture until it contains an ISBN. Other barcodes, such as that of the price, are ignored. @param signal closes the
 * camera. @returns the ISBN's 13 digits. @throws if there is no camera, or the page may not use it; and the reason of the signal.
 */
const readIsbnInFrontOf = async (picture: HTMLVideoElement, signal: AbortSignal): Promise<string> => {
  const stream = await openCamera();
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
    for (const track of stream.getTracks()) track.stop();
  }
};
