import { StartError } from '../server/start-error.ts';

/** A mistake in the words of a command that its options alone do not tell; exit code 2. */
export class UsageError extends StartError {}
