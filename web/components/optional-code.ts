/**
 * Loads code without which a screen still works. Failures end here: the build moves a `then` that follows an `import` into the call
 * that loads its style sheet first, so that one behind it sees no failure of that.
 * @returns undefined when it does not load, such as without a network.
 */
export const optionalCode = async <Code>(load: () => Promise<Code>): Promise<Code | undefined> => {
  try {
    return await load();
  } catch {
    return undefined;
  }
};
