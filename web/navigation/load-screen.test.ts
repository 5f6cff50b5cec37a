import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTabStorage } from '../memory/tab-storage.ts';
import { emptyStorage } from '../memory/test-storage.ts';
import { ChunkLoadError, loadScreen, loadScreenOrReload } from './load-screen.ts';

const screen = () => 'a screen';
const failing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const never = () => new Promise<never>(() => undefined);

const onlinePage = () => ({ isOnline: () => true, reload: vi.fn() });

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
  const storage = emptyStorage();
  const page = onlinePage();

  void loadScreenOrReload(failing, storage, page);
  await vi.waitFor(() => expect(page.reload).toHaveBeenCalledOnce());

  await expect(loadScreenOrReload(failing, storage, page)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(page.reload).toHaveBeenCalledOnce();

  await loadScreenOrReload(async () => screen, storage, page);
  void loadScreenOrReload(failing, storage, page);
  await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(2));
});

test('the page is not reloaded without a network, because it would be lost, nor in a tab that cannot store its reload', async () => {
  const blocked = createTabStorage(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  for (const [storage, isOnline] of [
    [emptyStorage(), false],
    [blocked, true],
  ] as const) {
    const page = { isOnline: () => isOnline, reload: vi.fn() };

    await expect(loadScreenOrReload(failing, storage, page)).rejects.toBeInstanceOf(ChunkLoadError);
    expect(page.reload).not.toHaveBeenCalled();
  }
});
