/** The processes that are measured, each as in production, and the process that sends the load. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { type ServerProcess, startServer } from '../../server/testing/server-process.ts';
import {
  externalProvider,
  type StoreProcessOptions,
  serveArguments,
  startStore,
} from '../../server/testing/store-process.ts';
import { identityPaths } from './identity-provider.ts';
import type { BareResponse } from './limits/http-server.ts';
import { writeNginxFiles } from './limits/nginx.ts';
import type { Outcome, Plan } from './load.ts';
import type { SignInOutcome, SignInPlan } from './sign-in-load.ts';

/**
 * Starts the store as `npm run serve` does, without the demo. The load comes from one client, so no limit applies to it.
 * @param logFile gets the log, at level `info`.
 * @param settings besides those.
 * @param program another than this Node, which runs the store.
 */
export const startMeasuredStore = (
  databaseUrl: string,
  logFile: string,
  settings: Readonly<Record<string, string>> = {},
  program: Pick<StoreProcessOptions, 'program' | 'nodeArguments'> = {},
): Promise<ServerProcess> =>
  startStore(
    {
      ...externalProvider,
      DATABASE_URL: databaseUrl,
      NODE_ENV: 'production',
      RATE_LIMITS: 'off',
      ...settings,
    },
    {
      nodeArguments: serveArguments(),
      ...program,
      readyPath: paths.books,
      workingFolder: dirname(logFile),
      logFile,
    },
  );

/** Starts the Express server. */
export async function startPeer(databaseUrl: string): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'peers', 'express-pg', 'server.ts')],
    environment: { PORT: String(port), DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    port,
    readyPath: paths.books,
  });
}

/** Starts the bare server. @param file for the responses; it is overwritten. */
export async function startBareServer(
  responses: readonly BareResponse[],
  file: string,
): Promise<ServerProcess> {
  writeFileSync(file, JSON.stringify(responses));
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'limits', 'http-server.ts')],
    environment: { PORT: String(port), RESPONSES_FILE: file, NODE_ENV: 'production' },
    port,
    readyPath: paths.health,
  });
}

/** Starts nginx. @param program its file. @param folder for its configuration and the responses. */
export async function startNginx(
  program: string,
  responses: readonly BareResponse[],
  folder: string,
): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    program,
    nodeArguments: ['-p', folder, '-e', 'stderr', '-c', writeNginxFiles(responses, port, folder)],
    environment: {},
    port,
    readyPath: paths.health,
  });
}

/** Starts the identity provider of the measured sign-ins. */
export async function startIdentityProvider(): Promise<ServerProcess> {
  const port = await findFreePort();
  return await startServer({
    nodeArguments: [join(import.meta.dirname, 'identity-provider.ts')],
    environment: { PORT: String(port), CLIENT_ID: externalProvider.OIDC_CLIENT_ID },
    port,
    readyPath: identityPaths.discovery,
  });
}

/** Sends the load of a plan, from another process. @throws when a response has another status than planned. */
export async function measure(plan: Plan): Promise<Outcome> {
  const outcome = await sendPlan<Plan, Outcome>('load.ts', plan);
  if (outcome.failures > 0) {
    const path = plan.kinds[0]?.requests[0]?.path;
    throw new Error(`${outcome.failures} requests failed (${path}), the first with: ${outcome.firstFailure}`);
  }
  return outcome;
}

/** Sends a load that disturbs a measurement: its failures do not matter. @returns undefined when every request failed. */
export const disturb = (plan: Plan): Promise<Outcome | undefined> =>
  sendPlan<Plan, Outcome>('load.ts', plan).catch(() => undefined);

/** Lets visitors sign in, from another process. @throws when a sign-in fails. */
export const measureSignIns = (plan: SignInPlan): Promise<SignInOutcome> =>
  sendPlan<SignInPlan, SignInOutcome>('sign-in-load.ts', plan);

/** @param file of the load, in this folder. */
async function sendPlan<OfLoad extends object, Result>(file: string, plan: OfLoad): Promise<Result> {
  const load = fork(join(import.meta.dirname, file));
  const exit = once(load, 'exit').then(([exitCode]) => {
    throw new Error(`the load ended with ${exitCode}`);
  });
  exit.catch(() => {});
  load.send(plan);
  const [outcome]: [Result] = await Promise.race([once(load, 'message') as Promise<[Result]>, exit]);
  await exit.catch(() => {});
  return outcome;
}
