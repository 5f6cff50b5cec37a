/** The part of platform.ts that the shop's first screen does not need. */
import { attempt } from './platform.ts';

/** Shape Detection API, which TypeScript does not know (https://wicg.github.io/shape-detection-api/#barcode-detection-api). */
declare class BarcodeDetector {
  constructor(options: { formats: readonly string[] });
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/** @returns undefined in a browser that reads no barcodes. */
export const barcodeReader = (): BarcodeDetector | undefined =>
  attempt(() => new BarcodeDetector({ formats: ['ean_13'] }));

/** @throws `NotAllowedError` where the person or the browser refuses; another error where there is no camera, or none for this page. */
export const openCamera = async (): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });

/** @returns false if the text was not copied: a page over plain HTTP may not. */
export const copyText = async (text: string): Promise<boolean> =>
  (await attempt(() =>
    navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    ),
  )) ?? false;

export const canShare = (): boolean => 'share' in navigator;

/** Opens the share sheet of the device, which a person may close again. @param address may be relative. */
export const share = (title: string, address: string): void =>
  attempt(() => void navigator.share({ title, url: address }).catch(() => undefined));
