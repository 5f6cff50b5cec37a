import packageJson from '../../package.json' with { type: 'json' };

/** The build writes these values (server/vite.config.ts). */
declare const builtCommit: string;

export const { version } = packageJson;
/** The short hash of the commit; `unknown` for a build without git, and when the sources run unbuilt. */
export const commit = typeof builtCommit === 'undefined' ? 'unknown' : builtCommit;
