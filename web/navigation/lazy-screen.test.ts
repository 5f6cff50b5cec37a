import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storageWith } from '../testing/storage.ts';
import { stubPage } from '../testing/stubbed-page.ts';

stubPage();
const reload = vi.fn();
Object.assign(window.location, { reload });
const { ChunkLoadError, loadScreen, loadScreenOrReload } = await import('./lazy-screen.tsx');

const screen = () => 'a screen';
const failing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const never = () => new Promise<never>(() => undefined);

const stub = (onLine: boolean, storage: object) => {
  reload.mockClear();
  vi.stubGlobal('navigator', { onLine });
  vi.stubGlobal('sessionStorage', storage);
};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a screen that fails to load throws a ChunkLoadError with its cause', async () => {
  const error = await loadScreen(failing).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ChunkLoadError);
  expect(error).toMatchObject({ name: 'ChunkLoadError', cause: expect.any(TypeError) });
});

test('a screen that takes longer than 120 seconds throws a ChunkLoadError, and one that loads leaves no timer', async () => {
  await expect(loadScreen(async () => screen)).resolves.toBe(screen);
  expect(vi.getTimerCount()).toBe(0);
  const outcome = vi.fn();
  loadScreen(never).catch(outcome);

  await vi.advanceTimersByTimeAsync(119_999);
  expect(outcome).not.toHaveBeenCalled();

  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toHaveBeenCalledWith(expect.any(ChunkLoadError));
});

test('the first failure reloads the page, the second throws, and one after a load reloads it again', async () => {
  stub(true, storageWith());
  void loadScreenOrReload(failing);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());

  await expect(loadScreenOrReload(failing)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(reload).toHaveBeenCalledOnce();

  await loadScreenOrReload(async () => screen);
  void loadScreenOrReload(failing);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});

test('the page is not reloaded without a network, because it would be lost, nor in a tab that cannot store its reload', async () => {
  const setItem = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  for (const [onLine, storage] of [
    [false, storageWith()],
    [true, { ...storageWith(), setItem }],
  ] as const) {
    stub(onLine, storage);
    await expect(loadScreenOrReload(failing)).rejects.toBeInstanceOf(ChunkLoadError);
    expect(reload).not.toHaveBeenCalled();
  }
});
