import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { barcodeReader } from '../../memory/platform-later.ts';
import styles from './isbn-scanner.module.css';

/** Fills in an ISBN with the camera, in browsers that read barcodes. In others a hand scanner types it, or a person. */
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
    const picture = video.current;
    const closing = new AbortController();
    import('./read-barcode.ts')
      .then(({ readIsbnInFrontOf }) => readIsbnInFrontOf(picture, closing.signal))
      .then(finish)
      .catch((error: Error) => closing.signal.aborted || setMessage(reasonOf(error)))
      .finally(() => closing.signal.aborted || setIsOpen(false));
    return () => closing.abort();
  }, [isOpen]);

  if (!canScan) return null;
  const toggle = () => {
    setMessage(isOpen ? '' : 'Hold the barcode in front of the camera.');
    setIsOpen(!isOpen);
  };
  return (
    <div className={styles.scanner}>
      <Button onClick={toggle}>{isOpen ? 'Stop the camera' : 'Scan with the camera'}</Button>
      <p role="status">{message}</p>
      {isOpen && (
        <video ref={video} className={styles.picture} muted playsInline aria-label="What the camera sees" />
      )}
    </div>
  );
};

const reasonOf = ({ name }: Error): string =>
  name === 'NotAllowedError'
    ? 'The browser does not let this page use the camera. Allow it in the browser’s settings, or type the digits.'
    : 'The camera cannot be used. Type the digits.';
