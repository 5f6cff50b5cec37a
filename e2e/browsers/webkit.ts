/** WebKitGTK, driven by WebDriver (https://www.w3.org/TR/webdriver2/). It has no WebDriver BiDi that puppeteer could use. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@playwright/test';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { findProgram } from '../../server/testing/programs.ts';
import type { OtherBrowser } from './firefox.ts';

/** WebDriver's Enter key (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
const enterKey = '\uE007';

type Programs = { driver: string; display: string };

export const howToInstallWebKit =
  'No WebKit with a WebDriver was found. Install it (on Debian: `apt-get install webkit2gtk-driver xvfb`).';

export function findWebKit(): Programs | undefined {
  const driver = findProgram('WebKitWebDriver');
  const display = findProgram('Xvfb');
  return driver && display ? { driver, display } : undefined;
}

/** The property that has an element's reference. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** Starts the browser with an empty profile. @throws when it does not start; nothing is left running then. */
export async function openWebKit(programs: Programs): Promise<OtherBrowser> {
  const processes: ChildProcess[] = [];
  try {
    return await startWebKit(programs, processes);
  } catch (error) {
    await endAll(processes);
    throw error;
  }
}

/** @param processes takes each process as soon as it runs. */
async function startWebKit(programs: Programs, processes: ChildProcess[]): Promise<OtherBrowser> {
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

  const handles = async (): Promise<string[]> => Object(await send('GET', `${path}/window/handles`));
  const switchTo = (handle = '') => send('POST', `${path}/window`, { handle });
  const [window] = await handles();
  /** @returns the path of an element. */
  const find = async (selector: string): Promise<string> => {
    const found = await send('POST', `${path}/element`, { using: 'css selector', value: selector });
    return `${path}/element/${Object(found)[elementKey]}`;
  };
  const type = async (selector: string, text: string) =>
    send('POST', `${await find(selector)}/value`, { text: text.replace('\n', enterKey) });

  return {
    open: (address) => send('POST', `${path}/url`, { url: address }),
    evaluate: (expression) =>
      send('POST', `${path}/execute/sync`, { script: `return ${expression}`, args: [] }),
    click: async (selector) => send('POST', `${await find(selector)}/click`, {}),
    type,
    chooseFile: (file) => type('input[type=file]', file),
    acceptAlert: async () => {
      const message = await send('GET', `${path}/alert/text`);
      await send('POST', `${path}/alert/accept`, {});
      return message;
    },
    enterPopup: async () => {
      const popup = (await handles()).find((handle) => handle !== window);
      if (!popup) throw new Error('there is no popup');
      await switchTo(popup);
    },
    leavePopup: async () => {
      if ((await handles()).length > 1) throw new Error('the popup is still open');
      await switchTo(window);
    },
    errors: () => [],
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
