/** The upload of an image, which only the pages of those who may add books load. */
import type { ImageHostKey, UploadedImage, UploadRefused } from '../../contract/image.ts';
import { paths } from '../../contract/paths.ts';
import { abortAfter } from '../memory/platform.ts';
import { storeConfig } from '../store-config.ts';
import { ApiProblem, apiOrigin, callApi, maxRetries, readProblem } from './client.ts';

/** The timeout is longer than usual, because a large image uploads slowly over a slow connection. */
const uploadTimeoutMs = 120_000;

/** The store refuses an upload in imgbb's form, but what comes before the upload, such as the session, in its own. */
const readRefusal = async (response: Response): Promise<ApiProblem> => {
  const body: Partial<UploadRefused> | null = await response
    .clone()
    .json()
    .catch(() => null);
  const problem = await readProblem(response);
  if (!body?.error || !body.status_txt) return problem;
  const { error, status_txt: code } = body;
  return new ApiProblem(response.status, { code, title: error.message }, problem.retryAfterMs);
};

/**
 * Uploads an image to the image host. If that is not the store, it gets no cookies, and its refusal is a plain error, because its 401 does
 * not concern the session here. @returns the address to store as the book's image. @throws {ApiProblem} when the store refuses; a plain
 * Error when another host does; fetch's own errors when there is no response within 120 seconds.
 */
export const uploadImage = async (file: File, signal: AbortSignal): Promise<string> => {
  const { apiHost, imageHost } = storeConfig;
  const isStore = imageHost.url === apiHost + paths.upload;
  const form = new FormData();
  // The store itself needs no key.
  const key = isStore ? undefined : await callApi<ImageHostKey>(paths.imageHostKey, { signal });
  form.set('key', key?.body.key ?? 'colophon');
  form.set('image', file);
  const response = await fetch(new URL(imageHost.url, apiOrigin), {
    method: 'POST',
    body: form,
    credentials: isStore ? 'include' : 'omit',
    signal: abortAfter(uploadTimeoutMs, signal),
  });
  if (!response.ok)
    throw isStore ? await readRefusal(response) : new Error(`The image host answered ${response.status}.`);
  const { data }: UploadedImage = await response.json();
  return data.display_url;
};

/** Retries like `retryTransient`. The store takes few uploads at a time, and refuses more before their bodies are sent. */
export const retryBusy = (failures: number, error: Error): boolean =>
  failures < maxRetries && error instanceof ApiProblem && error.status === 503;
