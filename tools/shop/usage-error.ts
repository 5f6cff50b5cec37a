import { StartError } from '../../server/start-error.ts';

/** What is wrong with the words of a command, where its options alone do not tell; exit code 2. */
export class UsageError extends StartError {}
