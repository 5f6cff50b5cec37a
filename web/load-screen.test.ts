import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkLoadError, loadScreen, loadScreenOrReload } from './load-screen.ts';

const screen = () => 'a screen';
const failing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const never = () => new Promise<never>(() => undefined);

/** What sessionStorage does, as far as the guard needs it. */
const emptyGuard = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a screen that arrives is handed on, and its deadline is dropped', async () => {
  await expect(loadScreen(async () => screen)).resolves.toBe(screen);
  expect(vi.getTimerCount()).toBe(0);
});

test('a screen that fails to load raises a ChunkLoadError that keeps the cause', async () => {
  const error = await loadScreen(failing).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ChunkLoadError);
  expect(error).toMatchObject({ name: 'ChunkLoadError', cause: expect.any(TypeError) });
});

test('a screen that takes longer than 120 seconds raises a ChunkLoadError', async () => {
  const outcome = vi.fn();
  loadScreen(never).catch(outcome);

  await vi.advanceTimersByTimeAsync(119_999);
  expect(outcome).not.toHaveBeenCalled();

  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toHaveBeenCalledWith(expect.any(ChunkLoadError));
});

test('the first failure reloads the page, the second is raised', async () => {
  const guard = emptyGuard();
  const reload = vi.fn();

  void loadScreenOrReload(failing, guard, reload);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());

  await expect(loadScreenOrReload(failing, guard, reload)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(reload).toHaveBeenCalledOnce();
});

test('after a screen has loaded, a later failure may reload again', async () => {
  const guard = emptyGuard();
  const reload = vi.fn();
  void loadScreenOrReload(failing, guard, reload);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());

  await loadScreenOrReload(async () => screen, guard, reload);
  void loadScreenOrReload(failing, guard, reload);

  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});
