/** WebKitGTK, driven by WebDriver (https://www.w3.org/TR/webdriver2/). It has no WebDriver BiDi that puppeteer could use. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@playwright/test';
import { findFreePort } from '../server/testing/free-ports.ts';

/** The key of an element's reference. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

export type WebKit = Awaited<ReturnType<typeof openWebKit>>;

/** Starts the browser with an empty profile. @throws when it does not start; nothing is left running then. */
export async function openWebKit(programs: { driver: string; display: string }) {
  const processes: ChildProcess[] = [];
  try {
    return await startWebKit(programs, processes);
  } catch (error) {
    await endAll(processes);
    throw error;
  }
}

/** @param processes takes each process as soon as it runs. */
async function startWebKit(programs: { driver: string; display: string }, processes: ChildProcess[]) {
  const display = spawn(programs.display, ['-displayfd', '1', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  processes.push(display);
  const [number] = await once(display.stdout, 'data');
  const port = await findFreePort();
  const driver = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(number).trim()}` },
  });
  processes.push(driver);

  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = Object(await response.json());
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const isListening = () => send('GET', '/status').then(Boolean, () => false);
  await expect.poll(isListening, { timeout: 30_000 }).toBe(true);
  const session = await send('POST', '/session', { capabilities: {} });
  if (!session || typeof session !== 'object' || !('sessionId' in session)) {
    throw new Error('there is no session');
  }
  const path = `/session/${session.sessionId}`;

  /** @param expression in JavaScript. @returns its value on the page. */
  const evaluate = (expression: string): Promise<unknown> =>
    send('POST', `${path}/execute/sync`, { script: `return ${expression}`, args: [] });
  const find = async (selector: string): Promise<string> => {
    const found = await send('POST', `${path}/element`, { using: 'css selector', value: selector });
    return Object(found)[elementKey];
  };
  /** Retries: an element may not be there yet, or not have its place yet. */
  const act = (selector: string, action: 'click' | 'value', body: object): Promise<void> =>
    expect(async () => {
      await send('POST', `${path}/element/${await find(selector)}/${action}`, body);
    }).toPass({ timeout: 10_000 });

  return {
    open: (address: string) => send('POST', `${path}/url`, { url: address }),
    evaluate,
    press: (selector: string) => act(selector, 'click', {}),
    write: (selector: string, text: string) => act(selector, 'value', { text }),
    windows: async (): Promise<string[]> => Object(await send('GET', `${path}/window/handles`)),
    switchTo: (handle: string) => send('POST', `${path}/window`, { handle }),
    async close() {
      try {
        await send('DELETE', path);
      } finally {
        await endAll(processes);
      }
    },
  };
}

const endAll = (processes: readonly ChildProcess[]) => Promise.all(processes.toReversed().map(end));

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exit = once(process, 'exit');
  process.kill();
  await exit;
}
