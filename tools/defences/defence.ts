/** A row of the table of defences: how to remove one, and the test that notices. */
export type Defence = {
  /** What the store promises, in one line; unique in the table. */
  name: string;
  /** The file that has the defence, from the root of the project. */
  file: string;
  /** Text that occurs in the file exactly once. */
  find: string;
  /** What takes its place, so that the file still parses and the defence is gone. */
  replace: string;
  /** The Vitest project that the test runs in. */
  project: 'plain' | 'SQLite' | 'PostgreSQL';
  testFile: string;
  /** A part of the test's full title. */
  testName: string;
};

/** @returns the source without its defence. @throws when the text to replace does not occur exactly once. */
export function removeDefence(source: string, { file, find, replace }: Defence): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    const times = source.split(find).length - 1;
    throw new Error(`the text to replace occurs ${times} times in ${file}, not once: ${find}`);
  }
  return before + replace + after;
}
